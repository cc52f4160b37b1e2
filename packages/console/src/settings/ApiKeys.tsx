import type { ApiKey } from "@carillon/sdk"
import { apiKeysChanged, useApiKeys } from "../data/apiKeys.ts"
import { carillon, workspace } from "../data/api.ts"
import { useAct } from "../data/useAct.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { dayOfYear, wallClock } from "../time/zone.ts"
import { Card } from "../ui/Card.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { CreateApiKey } from "./CreateApiKey.tsx"
import { words as all } from "./en.ts"
import { RemoveButton } from "./RemoveButton.tsx"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.apiKeys

const dayOf = (at: string) => dayOfYear(wallClock(new Date(at), workspace.timezone).day)

const facts = (key: ApiKey, now: number) => {
  const moment = (at: string) => formatMoment(at, now, workspace.timezone)
  return [
    key.scopes.map((scope) => words.shortScopes[scope]).join(", "),
    ...(key.social_accounts === null ? [] : [words.some(key.social_accounts.length)]),
    key.last_used_at === null ? words.unused : words.used(moment(key.last_used_at)),
    ...(key.expires_at === null
      ? []
      : [(Date.parse(key.expires_at) < now ? words.expired : words.expiresAt)(dayOf(key.expires_at))])
  ].join(" · ")
}

const Row = ({ apiKey, now }: { readonly apiKey: ApiKey; readonly now: number }) => {
  const { act, busy } = useAct()
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <div className="flex min-w-0 flex-1 flex-col text-sm text-soft">
        <span className="flex flex-wrap items-baseline gap-2">
          <strong className="text-base font-semibold break-words text-ink">{apiKey.name}</strong>
          <code>crl_{apiKey.id}</code>
        </span>
        <span>{facts(apiKey, now)}</span>
      </div>
      <RemoveButton
        label={words.remove.open(apiKey.name)}
        title={words.remove.title(apiKey.name)}
        text={words.remove.text}
        go={words.remove.go}
        isPending={busy !== null}
        onGo={() =>
          void act(apiKey.id, {
            do: () => carillon.apiKeys.delete(apiKey.id),
            done: words.remove.done,
            failed: words.remove.failed,
            changed: apiKeysChanged
          })
        }
      />
    </li>
  )
}

const List = () => {
  const now = useNow(false)
  return (
    <Loaded query={useApiKeys()} failed={words.failed} rows={3}>
      {(keys) =>
        keys.length === 0 ? (
          <EmptyState {...words.empty} />
        ) : (
          <Card label={all.pages.keys}>
            <ul className="divide-y divide-hair">
              {keys.map((key) => (
                <Row key={key.id} apiKey={key} now={now} />
              ))}
            </ul>
          </Card>
        )
      }
    </Loaded>
  )
}

/** The keys that programs sign in with. */
export const ApiKeys = () => (
  <SettingsPage forOwners>
    <div className="flex flex-wrap items-center gap-3 max-sm:px-4">
      <p className="min-w-0 flex-1 text-sm text-soft">{words.text}</p>
      <CreateApiKey />
    </div>
    <List />
  </SettingsPage>
)
