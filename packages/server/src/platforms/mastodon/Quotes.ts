import { Effect, Schema } from "effect"
import { PublishError } from "../Platform.ts"
import { RemoteId } from "./MastodonServer.ts"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** A post that may be quoted: https://docs.joinmastodon.org/entities/QuoteApproval/ */
export const QuotedStatus = Schema.Struct({
  id: RemoteId,
  quote_approval: optional(Schema.Struct({ current_user: optional(Schema.String) }))
})

/** The state of a quote: https://docs.joinmastodon.org/entities/Quote/ */
export const ShownQuote = optional(Schema.Struct({ state: optional(Schema.String) }))

/** The id in the address of a post on the account's own server, such as https://mastodon.social/@alice/1145. */
export const localId = (server: string, address: string): string | undefined => {
  const url = URL.parse(address)
  return url?.origin === server ? /^\/@[^/]+\/(\d+)\/?$/.exec(url.pathname)?.[1] : undefined
}

/** The server's id of the post of this address, which it has found, or not. */
export const quotable = (address: string, found: typeof QuotedStatus.Type | undefined) => {
  if (found === undefined)
    return refused(
      "quote_not_found",
      `The account's server finds no post at "${address}". Open it in a browser without signing in: only public posts can be found.`
    )
  // "This should be treated as `denied`", it says of `unknown`.
  return ["denied", "unknown"].includes(found.quote_approval?.current_user ?? "")
    ? refused(
        "quote_not_allowed",
        `The author of "${address}" does not allow this account to quote it. Leave quote out, or put the link in the text.`
      )
    : Effect.succeed(found.id)
}

export const noQuotes = new PublishError({
  class: "invalid",
  code: "quote_not_possible",
  message: "The account's server does not support quotes, which were added in Mastodon 4.5. Leave quote out."
})

const refused = (code: string, message: string) =>
  Effect.fail(new PublishError({ class: "invalid", code, message }))
