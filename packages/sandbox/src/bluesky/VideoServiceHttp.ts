/**
 * Bluesky's video service (https://docs.bsky.app/docs/tutorials/video and the lexicons `app.bsky.video.*`) below `/video.bsky.sandbox/xrpc`, with the tokens
 * that the accounts' server gives for it.
 *
 * `app.bsky.video.getUploadLimits` · `uploadVideo?did&name`, the file: the job, or 409 `already_exists` with the job of the same bytes ·
 * `getJobStatus?jobId`, without a token. Uploads in parts: `PartUploadsHttp.ts`. A finished video is a file of the account. What a scripted `processing` fails with is its
 * `reason`, a `failureCode`.
 */
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { Exchange, Refused } from "../Exchange.ts"
import { MediaStore } from "../MediaStore.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { blobOf, Bluesky, didOf, didOfHost, type Job, server, videoService } from "./Bluesky.ts"
import { blueskyDialect, parameters, whole } from "./BlueskyHttp.ts"
import { partUploadRoutes, workOf } from "./PartUploadsHttp.ts"
import { refused, sessions } from "./Sessions.ts"

const largestFile = ByteSize.megabytes(300)

export const VideoServiceHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const bluesky = yield* Bluesky
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const { inService } = sessions(yield* Tokens)

    const begun = ({ account, id }: Job) => ({ jobId: id, did: didOf(account), state: "JOB_STATE_CREATED" })

    const statusOf = (job: Job) => {
      const common = { jobId: job.id, did: didOf(job.account) }
      if (job.polls > 0) return { ...common, state: "JOB_STATE_ENCODING", progress: 50 }
      const media = store.find(job.media)
      return job.becomes === "ready" && media !== undefined
        ? { ...common, state: "JOB_STATE_COMPLETED", progress: 100, blob: blobOf(media) }
        : {
            ...common,
            state: "JOB_STATE_FAILED",
            failureCode: job.reason ?? "encoding_failure",
            error: "The video could not be encoded, by script"
          }
    }

    const getUploadLimits = exchange.answer(
      blueskyDialect,
      Effect.fnUntraced(function* (request, seen) {
        seen.operation = "publishing_limit"
        const { expireToken } = yield* inService(
          request,
          seen,
          didOfHost(videoService),
          "app.bsky.video.getUploadLimits"
        )
        return {
          expireToken,
          effect: () =>
            Effect.succeed({
              status: 200,
              body: { canUpload: true, remainingDailyVideos: 25, remainingDailyBytes: 10_000_000_000 }
            })
        }
      })
    )

    const uploadVideo = exchange.answer(
      blueskyDialect,
      Effect.fnUntraced(function* (request, seen) {
        seen.operation = "media"
        // It writes to the accounts' server with the token that comes with the file.
        const { account, expireToken } = yield* inService(
          request,
          seen,
          didOfHost(server),
          "com.atproto.repo.uploadBlob"
        )
        const { did } = yield* parameters
        if (did !== didOf(account))
          return yield* refused(401, "Unauthorized", "The token is another account's")
        const received = yield* store
          .receive("video/mp4", request.stream)
          .pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, largestFile))
        return {
          expireToken,
          effect: Effect.fnUntraced(function* (fault) {
            const earlier = bluesky.jobOf(account, received.sha256)
            if (earlier !== undefined)
              return yield* new Refused({
                status: 409,
                code: "already_exists",
                message: "Video already processed",
                body: { ...begun(earlier), error: "already_exists", message: "Video already processed" }
              })
            const job = bluesky.send({
              account,
              media: (yield* received.keep).id,
              ...(workOf(fault) ?? { polls: 0, becomes: "ready", reason: null })
            })
            return { status: 200, body: begun(job) }
          })
        }
      })
    )

    const getJobStatus = exchange.answer(
      blueskyDialect,
      Effect.fnUntraced(function* (_request, seen) {
        const { jobId = "" } = yield* parameters
        const job = bluesky.job(jobId)
        seen.operation = "media_status"
        seen.account = job?.account ?? null
        return {
          effect: Effect.fnUntraced(function* () {
            if (job === undefined) return yield* refused(400, "InvalidRequest", "Job not found")
            const jobStatus = statusOf(job)
            bluesky.look(job)
            return { status: 200, body: { jobStatus } }
          })
        }
      })
    )

    const base = `/${videoService}/xrpc/app.bsky.video` as const
    return [
      HttpRouter.route("GET", `${base}.getUploadLimits`, getUploadLimits, whole),
      HttpRouter.route("POST", `${base}.uploadVideo`, uploadVideo, whole),
      HttpRouter.route("GET", `${base}.getJobStatus`, getJobStatus, whole),
      ...(yield* partUploadRoutes(statusOf))
    ]
  })
)
