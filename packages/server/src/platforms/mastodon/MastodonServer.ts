import type { AccountLimits } from "@carillon/domain"
import { Effect, Record, Schema } from "effect"
import type { PlatformHttp } from "../PlatformHttp.ts"
import { isTestServer } from "../TestNetwork.ts"
import { refuseMastodon } from "./MastodonErrors.ts"

const isLimit = Schema.is(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
const isTexts = Schema.is(Schema.Array(Schema.String))
const isObject = Schema.is(Schema.Record(Schema.String, Schema.Unknown))
const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The id of an account, a post or a file; some servers take an address for it. */
export const RemoteId = Schema.String.check(Schema.isMaxLength(500))

export const MastodonCredentials = Schema.Struct({
  /** The server's address, without a path. */
  server: Schema.String,
  access_token: Schema.String,
  account_id: Schema.String,
  /** The app that the token was given to, which alone can revoke it; left out of tokens that a person made. */
  client: Schema.optionalKey(Schema.Struct({ client_id: Schema.String, client_secret: Schema.String }))
})
export type MastodonCredentials = typeof MastodonCredentials.Type

/** https://docs.joinmastodon.org/entities/Instance/, and V1_Instance for servers that have only that. */
export const Instance = Schema.Struct({
  domain: optional(Schema.String),
  uri: optional(Schema.String),
  version: Schema.String,
  api_versions: optional(Schema.Struct({ mastodon: optional(Schema.Int) })),
  configuration: Schema.optionalKey(Schema.Unknown),
  max_toot_chars: Schema.optionalKey(Schema.Unknown)
})

/** How a server is called. */
export interface Reached {
  readonly call: PlatformHttp
  readonly base: string
}

/** The most bytes of an answer that contains texts of a person or an operator. */
export const instanceBytes = 512 * 1024

/** The most bytes of an answer that contains statuses. */
export const statusesAnswer = 4 * 1024 * 1024

/** GET of the API, as the account. */
export const readServer =
  (reach: (server: string) => Reached) =>
  <S extends Schema.ConstraintDecoder<unknown>>(
    { server, access_token }: Pick<MastodonCredentials, "server" | "access_token">,
    path: string,
    answer: S,
    rest: { readonly query?: Readonly<Record<string, string>>; readonly also?: ReadonlyArray<number> } = {}
  ) => {
    const { call, base } = reach(server)
    return call({
      method: "GET",
      url: `${base}${path}`,
      bearer: access_token,
      maxAnswerBytes: statusesAnswer,
      answer,
      refuse: refuseMastodon,
      ...(rest.also === undefined ? {} : { also: rest.also, format: "whole" as const }),
      ...(rest.query === undefined ? {} : { query: rest.query })
    })
  }

export type ReadServer = ReturnType<typeof readServer>

/** Some servers have only the first version of it. */
export const readInstance = ({ base, call }: Reached) => {
  const version = (number: 1 | 2) =>
    call({
      method: "GET",
      url: `${base}/api/v${number}/instance`,
      maxAnswerBytes: instanceBytes,
      answer: Instance,
      refuse: refuseMastodon
    })
  return version(2).pipe(
    Effect.catchIf(
      ({ code }) => code === "http_404",
      () => version(1)
    )
  )
}

/**
 * A limit that is none says as little as one that is left out. None is believed beyond what a post of this service can
 * have: rules work with these numbers.
 */
export const limitsOf = (facts: typeof Instance.Type): AccountLimits => {
  const partOf = (whole: unknown, name: string) => (isObject(whole) ? whole[name] : undefined)
  const part = (name: string) => partOf(facts.configuration, name)
  const limit = (most: number, ...said: ReadonlyArray<unknown>) => {
    const number = said.find(isLimit)
    return number === undefined ? undefined : Math.min(number, most)
  }
  const of = (whole: unknown) => (name: string, most: number) => limit(most, partOf(whole, name))
  const [statuses, media, polls] = [of(part("statuses")), of(part("media_attachments")), of(part("polls"))]
  const types = partOf(part("media_attachments"), "supported_mime_types")
  // Pleroma names this one for whatever it is sent.
  const namesTypes = isTexts(types) && types.length > 0 && !types.includes("application/octet-stream")
  return Record.filter(
    {
      characters: limit(1_000_000, partOf(part("statuses"), "max_characters"), facts.max_toot_chars),
      address_characters: statuses("characters_reserved_per_url", 500),
      media: statuses("max_media_attachments", 1000),
      description_characters: media("description_limit", 100_000),
      mime_types: namesTypes ? types.filter((type) => type.length <= 100).slice(0, 100) : undefined,
      image_bytes: media("image_size_limit", 2 ** 40),
      image_pixels: media("image_matrix_limit", 2 ** 40),
      video_bytes: media("video_size_limit", 2 ** 40),
      video_pixels: media("video_matrix_limit", 2 ** 40),
      video_fps: media("video_frame_rate_limit", 10_000),
      poll_options: polls("max_options", 1000),
      poll_option_characters: polls("max_characters_per_option", 100_000),
      poll_min_seconds: polls("min_expiration", 315_360_000),
      poll_max_seconds: polls("max_expiration", 315_360_000),
      quotes: hasQuotes(facts)
    },
    (value) => value !== undefined
  ) as AccountLimits
}

/** Since 4.5: https://docs.joinmastodon.org/methods/statuses/#create */
export const hasQuotes = ({ api_versions }: typeof Instance.Type): boolean =>
  (api_versions?.mastodon ?? 0) >= 7

/**
 * Whether a repeated `Idempotency-Key` certainly gives the status that is there. Others take the header and ignore it, so
 * only Mastodon itself counts: others name themselves in `version`, and none of them has `api_versions`.
 */
export const honoursKey = ({ api_versions, version }: typeof Instance.Type): boolean =>
  (api_versions?.mastodon ?? 0) > 0 && /^\d+\.\d+\.\d+[\w.+-]*$/.test(version)

/** Mastodon itself before `POST /api/v2/media` (3.1.3). Others count otherwise, and from 0 on. */
export const isTooOld = ({ version }: typeof Instance.Type): boolean => {
  const [major, minor, patch] = (/^([1-9])\.(\d+)\.(\d+)[\w.+-]*$/.exec(version) ?? []).slice(1).map(Number)
  return major !== undefined && (major < 3 || (major === 3 && (minor! < 1 || (minor === 1 && patch! < 3))))
}

interface ServerRules {
  readonly allow_http: boolean
  /** Whether servers of `.sandbox` are there. */
  readonly has_test_network: boolean
}

/** The address of a server from what a person typed: its name, its address, or the account's whole name. */
export const serverOf = (typed: string, { allow_http, has_test_network }: ServerRules) => {
  const name = typed.trim().replace(/^@?[^@/\s]+@(?=[^@/\s]+$)/, "")
  const url = URL.parse(/^https?:\/\//i.test(name) ? name : `https://${name}`)
  if (url === null || name === "" || url.username !== "" || url.password !== "") return undefined
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return undefined
  // Another name of the same server.
  if (url.hostname.endsWith(".")) return undefined
  if (url.protocol !== "https:" && !allow_http) return undefined
  if (isTestServer(url.origin)) return has_test_network ? url.origin : undefined
  return allow_http || url.hostname.includes(".") ? url.origin : undefined
}
