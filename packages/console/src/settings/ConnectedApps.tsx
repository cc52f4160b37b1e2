import { scopeSentences, appScopes } from "@carillon/domain/Scopes"
import type { ConnectedApp } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { workspace } from "../data/api.ts"
import { useConnectedApps } from "../data/connectedApps.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { buttonClass } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { words as all } from "./en.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.connectedApps

const row = "flex items-center gap-3 px-4 py-2 text-soft no-underline -outline-offset-2 hover:bg-sunk"

const Facts = ({ app, now }: { readonly app: ConnectedApp; readonly now: number }) => {
  const moment = (at: string) => formatMoment(at, now, workspace.timezone)
  const { ended_at, ended_because, known_by, last_used_at, name, needs_approval, scopes } = app
  const may = appScopes.filter((scope) => scopes.includes(scope)).map((scope) => scopeSentences[scope][0])
  return (
    <span className="flex min-w-0 flex-1 flex-col text-sm text-soft">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <strong className="text-base font-semibold break-words text-ink">{name}</strong>
        {known_by}
      </span>
      {ended_at === null || ended_because === null ? (
        <>
          <span>{may.join(" · ")}</span>
          <span>
            {[
              words.accounts(app.social_accounts?.length),
              last_used_at === null ? words.unused : words.used(moment(last_used_at)),
              ...(needs_approval ? [words.held] : [])
            ].join(" · ")}
          </span>
        </>
      ) : (
        <span>{words.endings[ended_because](moment(ended_at))}</span>
      )}
    </span>
  )
}

const List = () => {
  const now = useNow(false)
  return (
    <Loaded query={useConnectedApps()} failed={words.failed} rows={3} height={76}>
      {(apps) => {
        const ended = apps.filter(({ ended_at }) => ended_at !== null)
        const live = apps.filter((app) => !ended.includes(app))
        return (
          <>
            {live.length === 0 ? (
              <EmptyState {...words.empty}>
                <Link to="/settings/connect-app" className={buttonClass("main")}>
                  {words.connect}
                </Link>
              </EmptyState>
            ) : (
              <Card label={all.pages.apps}>
                <ul className="divide-y divide-hair">
                  {live.map((app) => (
                    <li key={app.id}>
                      <Link to="/settings/connected-apps/$id" params={{ id: app.id }} className={row}>
                        <Facts app={app} now={now} />
                        <Icon name="right" />
                      </Link>
                    </li>
                  ))}
                </ul>
              </Card>
            )}
            {ended.length > 0 && (
              <Card title={words.ended}>
                <ul className="divide-y divide-hair">
                  {ended.map((app) => (
                    <li key={app.id} className="px-4 py-2">
                      <Facts app={app} now={now} />
                    </li>
                  ))}
                </ul>
              </Card>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** The apps that act for the person. */
export const ConnectedApps = () => (
  <SettingsPage>
    <div className="flex flex-wrap items-center gap-3 max-sm:px-4">
      <p className="min-w-0 flex-1 text-sm text-soft">{words.text}</p>
      <Link to="/settings/connect-app" className={buttonClass()}>
        <Icon name="plus" />
        {words.connect}
      </Link>
    </div>
    <List />
  </SettingsPage>
)
