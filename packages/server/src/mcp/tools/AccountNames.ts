import { CurrentActor, oneLine } from "@carillon/domain"
import { Effect } from "effect"
import { SocialAccounts } from "../../accounts/SocialAccounts.ts"

/** What an account is called in an answer. */
export type NameOf = (id: number) => string

/** The accounts with these ids that exist, as they were last read. */
export const makeKnownAccounts = Effect.map(SocialAccounts, ({ find, findCached }) =>
  Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
    const { workspace_id } = yield* CurrentActor
    const asked = [...new Set(ids)]
    return asked.length === 0 ? [] : (findCached(workspace_id, asked) ?? (yield* find(workspace_id, asked)))
  })
)

/** Accounts as a person knows them, for example `instagram @bakery`. */
export const makeAccountNames = Effect.map(makeKnownAccounts, (accounts) =>
  Effect.fnUntraced(function* (ids: ReadonlyArray<number>): Effect.fn.Return<NameOf, never, CurrentActor> {
    const names = new Map(
      (yield* accounts(ids)).map(({ id, platform, username }) => [id, `${platform} @${oneLine(username)}`])
    )
    return (id) => names.get(id) ?? `account ${id}`
  })
)
