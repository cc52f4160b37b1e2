import { Schema } from "effect"
import { PublishError, type PublishRequest } from "../Platform.ts"
import type { Refused } from "../PlatformHttp.ts"
import type { MastodonCredentials } from "./MastodonServer.ts"

/** What the server says of an address that has no id in it, such as snac's https://example.com/alice/p/1700000000.123456. */
export const Answered = Schema.Struct({ address: Schema.String, id: Schema.String })
type Answered = typeof Answered.Type

/** The id of the status that an item of a thread answers. One that a person confirmed is known by its address. */
export const parentOf = (
  access: MastodonCredentials,
  { thread }: PublishRequest,
  looked: Answered | undefined
): string | undefined => {
  const id = thread?.parent?.id
  if (id?.includes("/") !== true) return id
  return statusAt(access, id) ?? (looked?.address === id ? looked.id : undefined)
}

/** The id in an address such as https://mastodon.social/@alice/1145, or GoToSocial's https://example.com/@alice/statuses/01F8MH. */
const statusAt = ({ server }: MastodonCredentials, address: string): string | undefined => {
  const url = URL.parse(address)
  const found = /^\/@[^/]+\/(?:(\d+)|statuses\/(\w+))\/?$/.exec(url?.pathname ?? "")
  return url?.origin === server ? (found?.[1] ?? found?.[2]) : undefined
}

/** The failure of an item of a thread when the status it would answer is not known. */
export const parentUnknown = (address: string) =>
  new PublishError({
    class: "invalid",
    code: "parent_unknown",
    message: `The previous item was confirmed with ${JSON.stringify(address)}, where the account's server finds no post of the account, so nothing can reply to it. Publish the missing items as a separate post.`
  })

/** The failure of an item that answers another, when the server says 404. */
export const parentGone: Refused = {
  class: "invalid",
  code: "parent_gone",
  message:
    "The server cannot find the post that this item replies to, or one of this item's files. The previous item may have been deleted. Publish the missing items as a separate post."
}
