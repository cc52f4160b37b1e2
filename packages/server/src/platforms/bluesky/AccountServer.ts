import type { AccountLimits } from "@carillon/domain"
import { Effect, Schema } from "effect"
import { isPublicUrl } from "../../http/PublicAddress.ts"
import type { PublishError } from "../Platform.ts"
import { type PlatformHttp, shortAnswer } from "../PlatformHttp.ts"
import { refuse } from "./BlueskyErrors.ts"
import type { BlueskyCredentials } from "./BlueskyCredentials.ts"

const Description = Schema.Struct({
  did: Schema.String,
  blobUploadLimit: Schema.optionalKey(Schema.Unknown)
})

/** More than any file that is sent there. */
const widest = 1_000_000_000
const isLimit = Schema.is(Schema.Int.check(Schema.isGreaterThan(0)))

export interface VideoOptions {
  /** The address of the service that makes videos fit to be shown, which writes them to the account's server. */
  readonly video_service: string
}

/** What is known of the server of an account. */
export const accountServers = (
  call: PlatformHttp,
  serverOf: (did: string) => Effect.Effect<string, PublishError>,
  { video_service }: VideoOptions
) => {
  /** The server that has the account's files. */
  const pdsOf = ({ did, service }: Pick<BlueskyCredentials, "did" | "service">) =>
    service === entryway ? serverOf(did) : Effect.succeed(service)

  const describe = (pds: string) =>
    call({
      method: "GET",
      url: `${pds}/xrpc/com.atproto.server.describeServer`,
      maxAnswerBytes: shortAnswer,
      answer: Description,
      refuse
    })

  /** A server in a private network is out of the service's reach, unless the service is in one too. */
  const isReached = ({ service }: Pick<BlueskyCredentials, "service">) =>
    isPublicUrl(service) || !isPublicUrl(video_service)

  return {
    isReached,
    /** The DID by which the server knows itself. */
    didOf: (credentials: BlueskyCredentials) =>
      Effect.map(Effect.flatMap(pdsOf(credentials), describe), ({ did }) => did),
    limitsOf: Effect.fn("Bluesky.limits")(function* (
      credentials: Pick<BlueskyCredentials, "did" | "service">
    ): Effect.fn.Return<AccountLimits, PublishError> {
      const { blobUploadLimit } = yield* describe(yield* pdsOf(credentials))
      return {
        ...(isLimit(blobUploadLimit) ? { file_bytes: Math.min(blobUploadLimit, widest) } : {}),
        video_service: isReached(credentials)
      }
    })
  }
}

export type AccountServers = ReturnType<typeof accountServers>

/** The server for accounts of the network's main provider, whose e-mail addresses name no server. It hosts none itself. */
export const entryway = "https://bsky.social"
