import { type AppScope, appScopes, hasScope, scopeSentences } from "@carillon/domain/Scopes"
import type { ConnectedApp } from "@carillon/sdk"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useAccounts } from "../data/accounts.ts"
import { carillon } from "../data/api.ts"
import { connectedAppsChanged, useConnectedApps } from "../data/connectedApps.ts"
import { useAct } from "../data/useAct.ts"
import { AccountList } from "../post/AccountList.tsx"
import { BackLink } from "../ui/BackLink.tsx"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { Stack } from "../ui/Stack.tsx"
import { Switch } from "../ui/Switch.tsx"
import { Said } from "../ui/TextField.tsx"
import { Tick } from "../ui/Tick.tsx"
import { words as all } from "./en.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.connectedApps

/** What includes a scope goes with it. */
const without = (scopes: ReadonlyArray<AppScope>, scope: AppScope) =>
  scopes.filter((one) => !hasScope([one], scope))

const Choice = ({ app }: { readonly app: ConnectedApp }) => {
  const accounts = useAccounts()
  const [scopes, setScopes] = useState(appScopes.filter((scope) => app.scopes.includes(scope)))
  const [limited, setLimited] = useState(app.social_accounts !== null)
  const [chosen, setChosen] = useState(app.social_accounts ?? [])
  const [held, setHeld] = useState(app.needs_approval)
  const [asked, setAsked] = useState(false)
  const { act, busy } = useAct()
  const accountsMissing = limited && chosen.length === 0
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (scopes.length === 0 || accountsMissing) return
        void act("save", {
          do: () =>
            carillon.connectedApps.update(app.id, {
              scopes,
              social_accounts: limited ? chosen : null,
              needs_approval: held
            }),
          done: words.saved,
          failed: words.notSaved,
          changed: connectedAppsChanged
        })
      }}
    >
      <Stack>
        <fieldset className="m-0 flex flex-col gap-1 border-0 p-0">
          <legend className="mb-1 p-0 text-sm font-semibold">{words.may}</legend>
          {appScopes
            .filter((scope) => app.asked_scopes.includes(scope))
            .map((scope) => (
              <div key={scope}>
                <Tick
                  checked={hasScope(scopes, scope)}
                  aria-describedby={`${scope}-help`}
                  onChange={({ target }) =>
                    setScopes(target.checked ? [...scopes, scope] : without(scopes, scope))
                  }
                >
                  {scopeSentences[scope][0]}
                </Tick>
                <p id={`${scope}-help`} className="ps-6 text-xs text-soft">
                  {scopeSentences[scope][1]}
                </p>
              </div>
            ))}
          <Said id="scopes-said" problem={asked && scopes.length === 0 ? words.scopesMissing : undefined} />
        </fieldset>
        <div className="flex flex-col gap-2">
          <Switch on={limited} onChange={setLimited}>
            {all.apiKeys.onlyAccounts}
          </Switch>
          {limited && (
            <div className="flex max-h-list flex-col rounded-control border border-line p-1">
              <AccountList accounts={[...accounts.values()]} chosen={chosen} onChange={setChosen} />
            </div>
          )}
          <Said
            id="accounts-said"
            problem={asked && accountsMissing ? all.apiKeys.accountsMissing : undefined}
          />
        </div>
        <div>
          <Switch on={held} onChange={setHeld}>
            {words.hold}
          </Switch>
          <p className="text-xs text-soft">{words.holdHelp}</p>
        </div>
        <Actions>
          <Button look="main" type="submit" isPending={busy !== null}>
            {words.save}
          </Button>
        </Actions>
      </Stack>
    </form>
  )
}

const Disconnect = ({ app: { id, name } }: { readonly app: ConnectedApp }) => {
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  const { act, busy } = useAct()
  const { done, failed, go, text, title } = words.disconnect
  return (
    <Card title={words.disconnect.open}>
      <Stack>
        <p className="text-sm text-soft">{text}</p>
        <Actions>
          <Button look="danger" isPending={busy !== null} onPress={() => setAsking(true)}>
            {go(name)}
          </Button>
        </Actions>
      </Stack>
      {asking && (
        <ConfirmDialog
          title={title(name)}
          text={text}
          go={words.disconnect.open}
          stay={all.cancel}
          onStay={() => setAsking(false)}
          onGo={() => {
            setAsking(false)
            void act("disconnect", {
              do: async () => {
                await carillon.connectedApps.disconnect(id)
                await navigate({ to: "/settings/connected-apps" })
              },
              done: done(name),
              failed,
              changed: connectedAppsChanged
            })
          }}
        />
      )}
    </Card>
  )
}

const Found = () => {
  const { id } = useParams({ from: "/settings/connected-apps/$id" })
  return (
    <Loaded query={useConnectedApps()} failed={words.failed} rows={4} height={76}>
      {(apps) => {
        const app = apps.find((one) => one.id === id && one.ended_at === null)
        return app === undefined ? (
          <EmptyState {...words.unknown} />
        ) : (
          <>
            <Card title={app.name} beside={<span className="text-sm text-soft">{app.known_by}</span>}>
              <Choice app={app} />
            </Card>
            <Disconnect app={app} />
          </>
        )
      }}
    </Loaded>
  )
}

/** What one app may do, and its end. */
export const ConnectedAppPage = () => (
  <SettingsPage>
    <div>
      <BackLink to="/settings/connected-apps">{all.pages.apps}</BackLink>
    </div>
    <Found />
  </SettingsPage>
)
