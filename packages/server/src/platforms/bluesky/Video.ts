import { Clock, Duration, Effect, Schema } from "effect"
import { HttpBody } from "effect/http"
import { PublishError, type PublishMedia } from "../Platform.ts"
import { type PlatformHttp, shortAnswer } from "../PlatformHttp.ts"
import { isTestServer } from "../TestNetwork.ts"
import type { AccountServers, VideoOptions } from "./AccountServer.ts"
import { refuse } from "./BlueskyErrors.ts"
import type { UploadedVideo } from "./BlueskyHandle.ts"
import { type Bearer, partUpload } from "./PartUpload.ts"
import type { repository } from "./Repository.ts"
import type { BlueskyCredentials } from "./BlueskyCredentials.ts"
import { JobAnswer, jobOf, refuseVideo, startAgain, stateOf, uploadTime } from "./VideoJob.ts"

const UploadLimits = Schema.Struct({
  canUpload: Schema.Boolean,
  remainingDailyVideos: Schema.optionalKey(Schema.Finite),
  remainingDailyBytes: Schema.optionalKey(Schema.Finite),
  message: Schema.optionalKey(Schema.String)
})
const ServiceToken = Schema.Struct({ token: Schema.String })
/** What a token must have left: the service keeps that of a finished upload for its own. */
const tokenMargin = Duration.minutes(10)
/** The video service of the test network's accounts. */
const testService = "https://video.bsky.sandbox"
/** Between two looks at a job. */
export const lookAgain = Duration.seconds(3)

/** For the person who reads the result. */
export const sentAsItIs =
  "The video was sent as it is, because Bluesky's video service does not reach the account's server. Apps show nothing in its " +
  "place until something converts it."

/**
 * Videos go through the video service (https://docs.bsky.app/docs/tutorials/video): it takes the file, makes it fit for every
 * device and writes the result to the account's server. A server that it cannot reach, because it is in a private network,
 * gets the file as it is.
 */
export const videos = (
  /** Calls of the account's server, whose address is a stranger's, and of the service, whose address is the operator's. */
  { server, service }: { readonly server: PlatformHttp; readonly service: PlatformHttp },
  { uploadBlob }: Pick<ReturnType<typeof repository>, "uploadBlob">,
  { didOf, isReached }: AccountServers,
  { video_service }: VideoOptions
) => {
  const serviceOf = ({ service: pds }: BlueskyCredentials) =>
    isTestServer(pds) ? testService : video_service

  const parts = partUpload(service, serviceOf)

  const tokenFor = (
    { service: url, accessJwt }: BlueskyCredentials,
    query: { readonly aud: string; readonly lxm: string; readonly exp?: string }
  ) =>
    server({
      method: "GET",
      url: `${url}/xrpc/com.atproto.server.getServiceAuth`,
      query,
      bearer: accessJwt,
      maxAnswerBytes: shortAnswer,
      answer: ServiceToken,
      refuse
    }).pipe(Effect.map(({ token }) => token))

  /** Looks at what the account may upload, before a byte is sent. */
  const allowed = Effect.fnUntraced(function* (credentials: BlueskyCredentials, size: number) {
    const lxm = "app.bsky.video.getUploadLimits"
    const url = serviceOf(credentials)
    const aud = `did:web:${new URL(url).host.replace(":", "%3A")}`
    const bearer = yield* tokenFor(credentials, { aud, lxm })
    const limits = yield* service({
      method: "GET",
      url: `${url}/xrpc/${lxm}`,
      bearer,
      maxAnswerBytes: shortAnswer,
      answer: UploadLimits,
      refuse: refuseVideo
    })
    const { canUpload, message = "", remainingDailyBytes = size, remainingDailyVideos = 1 } = limits
    if (remainingDailyVideos < 1 || remainingDailyBytes < size) {
      return yield* new PublishError({
        class: "quota_exhausted",
        code: "video_limit",
        message: `Bluesky does not accept another video of this size from the account today. Carillon will try again.`
      })
    }
    if (!canUpload) {
      return yield* new PublishError({
        class: "forbidden",
        code: "video_not_allowed",
        message:
          `Bluesky does not accept videos from the account${message === "" ? "" : `: "${message}"`}. Check that ` +
          "the account's e-mail address is confirmed, at bsky.app under Settings, Account."
      })
    }
  })

  /** With this token the service writes to the account's server. */
  const uploadToken = (credentials: BlueskyCredentials): Bearer => {
    let token = ""
    let until = 0
    return Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now < until) return token
      token = yield* tokenFor(credentials, {
        aud: yield* didOf(credentials),
        lxm: "com.atproto.repo.uploadBlob",
        exp: String(Math.floor((now + Duration.toMillis(uploadTime)) / 1000))
      })
      until = now + Duration.toMillis(uploadTime) - Duration.toMillis(tokenMargin)
      return token
    })
  }

  const atOnce = Effect.fnUntraced(function* (
    bearer: Bearer,
    credentials: BlueskyCredentials,
    media: PublishMedia
  ) {
    const answer = yield* service({
      method: "POST",
      url: `${serviceOf(credentials)}/xrpc/app.bsky.video.uploadVideo`,
      query: { did: credentials.did, name: media.name },
      bearer: yield* bearer,
      body: fileOf(media),
      timeout: uploadTime,
      maxAnswerBytes: shortAnswer,
      // already_exists: the job of the earlier upload.
      also: [409],
      answer: JobAnswer,
      refuse: refuseVideo
    })
    return yield* stateOf(jobOf(answer))
  })

  return {
    /** Sends the file. `keep` stores an upload in parts before a part is sent. */
    start: Effect.fnUntraced(function* (
      credentials: BlueskyCredentials,
      media: PublishMedia,
      keep: (video: UploadedVideo) => Effect.Effect<void, PublishError>
    ): Effect.fn.Return<UploadedVideo, PublishError> {
      if (!isReached(credentials)) {
        const blob = yield* uploadBlob(credentials, fileOf(media), uploadTime)
        return { blob, as_it_is: true }
      }
      yield* allowed(credentials, media.size_bytes)
      const bearer = uploadToken(credentials)
      return (
        (yield* parts.start(bearer, credentials, media, keep)) ?? (yield* atOnce(bearer, credentials, media))
      )
    }),

    /** Goes on with an upload in parts. */
    resume: (credentials: BlueskyCredentials, media: PublishMedia, upload: string) =>
      parts.resume(uploadToken(credentials), credentials, media, upload),

    /** Looks whether it has been made ready. */
    look: (credentials: BlueskyCredentials, job: string): Effect.Effect<UploadedVideo, PublishError> =>
      service({
        method: "GET",
        url: `${serviceOf(credentials)}/xrpc/app.bsky.video.getJobStatus`,
        query: { jobId: job },
        maxAnswerBytes: shortAnswer,
        answer: JobAnswer,
        refuse: (refusal) =>
          refusal.status === 400 || refusal.status === 404
            ? { ...startAgain, code: "video_job_lost" }
            : refuseVideo(refusal)
      }).pipe(Effect.flatMap((answer) => stateOf(jobOf(answer))))
  }
}

const fileOf = (media: PublishMedia) => HttpBody.stream(media.content, media.mime_type, media.size_bytes)
