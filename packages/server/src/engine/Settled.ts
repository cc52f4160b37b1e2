import { Context, type Effect } from "effect"

/** What settlements made of a post: its status before, and the targets that are over with them. */
export interface SettledPost {
  readonly id: string
  readonly workspace_id: string
  readonly status_before: string
  readonly targets: ReadonlyArray<string>
}

/** The rooms above are told here, within the transaction that settles. */
export class Settled extends Context.Service<
  Settled,
  {
    /** After the posts' status has been derived. */
    posts(posts: ReadonlyArray<SettledPost>): Effect.Effect<void>
    /** The platform does not accept the account's tokens any more. */
    needsReconnect(accountId: number): Effect.Effect<void>
  }
>()("@carillon/server/engine/Settled") {}
