import { Effect, Option, Schema } from "effect"
import { shortAnswer } from "../PlatformHttp.ts"
import { refuseMastodon } from "./MastodonErrors.ts"
import type { Reached } from "./MastodonServer.ts"

const Answer = Schema.Struct({
  headers: Schema.Record(Schema.String, Schema.Unknown),
  body: Schema.Unknown
})
const decodeLinks = Schema.decodeUnknownOption(
  Schema.Struct({
    links: Schema.Array(
      Schema.Struct({ rel: Schema.String, href: Schema.optionalKey(Schema.NullOr(Schema.String)) })
    )
  })
)

/**
 * The domain in the names of a server's people, which is the server's own host or one above it. A server can name any
 * domain, so the domain itself is asked whether its people are there: https://docs.joinmastodon.org/spec/webfinger/
 * A list of public suffixes would not do: whoever has x.github.io is not github.io.
 */
export const localDomain = Effect.fnUntraced(function* (
  reach: (server: string) => Reached,
  server: string,
  named: string,
  username: string
) {
  const { host, origin, protocol } = new URL(server)
  const domain = URL.parse(named.includes("://") ? named : `https://${named}`)?.host ?? host
  if (!domain.includes(".") || !host.endsWith(`.${domain}`)) return host
  const { base, call } = reach(`${protocol}//${domain}`)
  const sendsHere = yield* call({
    method: "GET",
    url: `${base}/.well-known/webfinger`,
    query: { resource: `acct:${username}@${domain}` },
    also: [301, 302, 303, 307, 308],
    format: "whole",
    timeout: "10 seconds",
    maxAnswerBytes: shortAnswer,
    answer: Answer,
    refuse: refuseMastodon
  }).pipe(
    Effect.map(({ body, headers }) =>
      [
        headers["location"],
        ...Option.match(decodeLinks(body), {
          onNone: () => [],
          onSome: ({ links }) => links.filter(({ rel }) => rel === "self").map(({ href }) => href)
        })
      ].some((address) => URL.parse(String(address))?.origin === origin)
    ),
    Effect.orElseSucceed(() => false)
  )
  return sendsHere ? domain : host
})
