import { PublishError, type PublishRequest } from "../Platform.ts"
import type { Refused } from "../PlatformHttp.ts"
import type { MastodonCredentials } from "./MastodonServer.ts"

/** The id of the status that an item of a chain answers. One that a person confirmed is known by its address. */
export const parentOf = (access: MastodonCredentials, { chain }: PublishRequest): string | undefined => {
  const id = chain?.parent?.id
  return id?.includes("/") === true ? statusAt(access, id) : id
}

/** The id in an address such as https://mastodon.social/@alice/1145, or GoToSocial's https://example.com/@alice/statuses/01F8MH. */
const statusAt = ({ server }: MastodonCredentials, address: string): string | undefined => {
  const url = URL.parse(address)
  const found = /^\/@[^/]+\/(?:(\d+)|statuses\/(\w+))\/?$/.exec(url?.pathname ?? "")
  return url?.origin === server ? (found?.[1] ?? found?.[2]) : undefined
}

/** Why an item of a chain cannot be sent, where nobody knows what it would answer. */
export const parentUnknown = (access: MastodonCredentials, request: PublishRequest) => {
  const parent = request.chain?.parent ?? null
  return parent === null || parentOf(access, request) !== undefined
    ? undefined
    : new PublishError({
        class: "invalid",
        code: "parent_unknown",
        message: `${JSON.stringify(parent.id)}, which the item before was confirmed with, is no address of a post on the account's own server, so nothing can answer it; post what is missing as a post of its own.`
      })
}

/** What 404 means to an item that answers another. */
export const parentGone: Refused = {
  class: "invalid",
  code: "parent_gone",
  message:
    "The server does not find what this item answers, or a file of it: was the item before deleted? Post what is missing as a post of its own."
}
