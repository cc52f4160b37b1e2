import { CurrentActor, oneLine } from "@carillon/domain"
import { Effect } from "effect"
import { SocialAccounts } from "../../accounts/SocialAccounts.ts"

/** What an account is called in an answer. */
export type NameOf = (id: number) => string

/** Accounts as a person knows them, for example `instagram @bakery`. */
export const makeAccountNames = Effect.map(SocialAccounts, ({ find, findCached }) =>
  Effect.fnUntraced(function* (ids: ReadonlyArray<number>): Effect.fn.Return<NameOf, never, CurrentActor> {
    const { workspace_id } = yield* CurrentActor
    const asked = [...new Set(ids)]
    const rows =
      asked.length === 0 ? [] : (findCached(workspace_id, asked) ?? (yield* find(workspace_id, asked)))
    const names = new Map(rows.map(({ id, platform, username }) => [id, `${platform} @${oneLine(username)}`]))
    return (id) => names.get(id) ?? `account ${id}`
  })
)
