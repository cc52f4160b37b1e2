import { appsOf, platformAppNames, platformApps } from "@carillon/domain/PlatformApps"
import { dollars } from "@carillon/domain/Prices"
import type { PlatformApp, PlatformAppName } from "@carillon/sdk"
import { useMutation } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { carillon, workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { isOwner } from "../data/may.ts"
import { usePlatformApps } from "../data/platformApps.ts"
import { reasonOf } from "../data/reasonOf.ts"
import { useAct } from "../data/useAct.ts"
import { longDay, wallClock } from "../time/zone.ts"
import { BackLink } from "../ui/BackLink.tsx"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { PageName } from "../ui/PageName.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Room } from "../ui/Room.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { Stack } from "../ui/Stack.tsx"
import { toast } from "../ui/toast.ts"
import { AppForm } from "./AppForm.tsx"
import { words } from "./en.ts"
import { Remark } from "../ui/Remark.tsx"
import { RemoveApp } from "./RemoveApp.tsx"
import { Steps } from "./Steps.tsx"
import { TestAnswer } from "./TestAnswer.tsx"

const isSet = ({ source }: PlatformApp) => source === "stored" || source === "environment"

const About = ({ app }: { readonly app: PlatformApp }) => {
  const { name } = platformApps[app.app]
  const { source } = app
  return (
    <Remark tone={isSet(app) ? "good" : "plain"} icon={isSet(app) ? "check" : "question"}>
      {source === "environment"
        ? words.about.environment(app.variables.join(" and "))
        : source === "stored"
          ? words.about.stored(longDay(wallClock(new Date(app.stored_at!), workspace.timezone).day))
          : words.about[source](name)}
      {isSet(app) && ` ${words.connected(app.accounts)}`}
      {app.spending !== null && ` ${spendingWords(app.spending)}`}
    </Remark>
  )
}

const spendingWords = ({ budget, scheduled, spent }: NonNullable<PlatformApp["spending"]>) =>
  words.spending(dollars(spent), dollars(scheduled), budget === null ? null : dollars(budget))

/** Leads to the network's own page, and from there back here. */
const Connect = ({ app: { app, platform } }: { readonly app: PlatformApp }) => {
  const { act, busy } = useAct()
  const connect = () =>
    act(app, {
      do: async () => {
        const { authorize_url } = await carillon.accounts.startConnect({
          platform,
          ...(appsOf(platform).length > 1 ? { login: app } : {}),
          redirect_url: `${boot.public_url}/app/accounts/apps/${app}`
        })
        location.assign(authorize_url)
      },
      failed: words.connect.failed
    })
  return (
    <Button isPending={busy !== null} onPress={() => void connect()}>
      <Icon name="plus" />
      {words.connect.open}
    </Button>
  )
}

/** Reports how connecting ended, which the address says on the way back. */
const useReturn = () => {
  const { message, pending, status } = useSearch({ from: "/accounts/apps/$app" })
  const navigate = useNavigate({ from: "/accounts/apps/$app" })
  useEffect(() => {
    if (pending !== undefined) return void navigate({ to: "/accounts", search: { pending }, replace: true })
    if (status === undefined) return
    if (status === "connected") toast({ icon: "check", text: words.connect.done })
    else toast({ icon: "cross", text: message ?? status })
    void navigate({ search: {}, replace: true })
  }, [message, navigate, pending, status])
}

/** An app that the configuration sets: it can only be tested. */
const TestOnly = ({ app: { app } }: { readonly app: PlatformApp }) => {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => carillon.platformApps.test(app)
  })
  return (
    <Card title={words.form.test}>
      <Stack>
        <TestAnswer answer={error === null ? data : { message: reasonOf(error) }} />
        <Actions>
          <Button isPending={isPending} onPress={() => mutate()}>
            {words.form.test}
          </Button>
        </Actions>
      </Stack>
    </Card>
  )
}

const One = ({ app }: { readonly app: PlatformApp }) => {
  const [removed, setRemoved] = useState(0)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3 max-sm:px-4">
        <About app={app} />
        {isSet(app) && <Connect app={app} />}
      </div>
      {app.source === "environment" ? (
        <TestOnly app={app} />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-form">
          <Steps app={app} />
          <div className="flex flex-col gap-2 lg:sticky lg:top-0">
            {/* Empty again once the app is removed. */}
            <AppForm key={removed} app={app} />
            {app.source === "stored" && <RemoveApp app={app} onRemoved={() => setRemoved(removed + 1)} />}
          </div>
        </div>
      )}
    </div>
  )
}

const Named = ({ name }: { readonly name: PlatformAppName }) => (
  <Loaded query={usePlatformApps()} failed={words.failed} rows={3} height={120}>
    {(apps) => <One app={apps.find(({ app }) => app === name)!} />}
  </Loaded>
)

/** Other rooms link by network, which may have several apps. */
const appOf = (named: string): PlatformAppName | undefined =>
  platformAppNames.find((name) => name === named) ?? appsOf(named)[0]

export const App = () => {
  const { app: named } = useParams({ from: "/accounts/apps/$app" })
  useReturn()
  const app = appOf(named)
  return (
    <Room
      before={<BackLink to="/accounts/apps">{words.back}</BackLink>}
      title={
        app === undefined ? (
          <PageName />
        ) : (
          <>
            <Glyph platform={platformApps[app].platform} />
            {platformApps[app].name}
          </>
        )
      }
    >
      {!isOwner ? (
        <EmptyState {...words.onlyOwners} />
      ) : app === undefined ? (
        <EmptyState title={words.unknown} />
      ) : (
        <Named key={app} name={app} />
      )}
    </Room>
  )
}
