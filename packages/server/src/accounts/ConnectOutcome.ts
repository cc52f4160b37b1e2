import type { PendingConnectionId, SocialAccount } from "@carillon/domain"
import { Data } from "effect"

/** Why connecting failed, for the person in the browser. `redirect_url`: where they wanted to go in the end. */
export class ConnectFailed extends Data.TaggedError("ConnectFailed")<{
  readonly code: string
  readonly message: string
  readonly redirect_url: string | null
}> {}

/** The end of a flow, or the accounts that the person has to choose from. */
export type Connected =
  | {
      readonly _tag: "connected"
      readonly accounts: ReadonlyArray<SocialAccount>
      readonly redirect_url: string | null
    }
  | {
      readonly _tag: "choose"
      readonly pending_id: PendingConnectionId
      /** For the page of this service, where the client does not ask itself. */
      readonly ticket: string
      readonly usernames: ReadonlyArray<string>
      readonly redirect_url: string | null
    }

export const deadLink = new ConnectFailed({
  code: "connection_expired",
  message:
    "This link has been used, has expired, or was opened in another browser. Start connecting the account again.",
  redirect_url: null
})
