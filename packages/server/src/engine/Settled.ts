import { Context, type Effect } from "effect"

/** A settled post: its status before, and the targets that are over now. */
export interface SettledPost {
  readonly id: string
  readonly workspace_id: string
  readonly status_before: string
  readonly targets: ReadonlyArray<string>
}

/** Reports settlements to the rooms above, within the transaction that settles. */
export class Settled extends Context.Service<
  Settled,
  {
    /** Called after the posts' status was derived. */
    posts(posts: ReadonlyArray<SettledPost>): Effect.Effect<void>
    /** The platform does not accept the account's tokens any more. */
    needsReconnect(accountId: number): Effect.Effect<void>
  }
>()("@carillon/server/engine/Settled") {}
