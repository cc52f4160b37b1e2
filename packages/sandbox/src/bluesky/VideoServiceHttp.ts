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
import { blobOf, Bluesky, didOf, didOfHost, type Job, videoService } from "./Bluesky.ts"
import { blueskyDialect } from "./BlueskyHttp.ts"
import { partUploadRoutes, uploadToken, workOf } from "./PartUploadsHttp.ts"
import { refused, sessions } from "./Sessions.ts"

const largestFile = ByteSize.megabytes(300)

export const VideoServiceHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const bluesky = yield* Bluesky
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const { inService } = sessions(yield* Tokens)
    const service = exchange.endpoints({ dialect: blueskyDialect, caller: inService })
    const open = exchange.endpoints({ dialect: blueskyDialect })

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

    const base = `/${videoService}/xrpc/app.bsky.video` as const
    return [
      service("GET", `${base}.getUploadLimits`, {
        operation: "publishing_limit",
        aud: didOfHost(videoService),
        lxm: "app.bsky.video.getUploadLimits",
        answer: () => ({ canUpload: true, remainingDailyVideos: 25, remainingDailyBytes: 10_000_000_000 })
      }),
      service("POST", `${base}.uploadVideo`, {
        operation: "media",
        // It writes to the accounts' server with the token that comes with the file.
        ...uploadToken,
        read: ({ account, query, request }) =>
          query.get("did") === didOf(account)
            ? store
                .receive("video/mp4", request.stream)
                .pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, largestFile))
            : refused(401, "Unauthorized", "The token is another account's"),
        answer: ({ account, fault }, received) =>
          Effect.gen(function* () {
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
            return begun(job)
          })
      }),
      open("GET", `${base}.getJobStatus`, {
        operation: "media_status",
        read: ({ query, seen }) =>
          Effect.sync(() => {
            const job = bluesky.job(query.get("jobId") ?? "")
            seen.account = job?.account ?? null
            return job
          }),
        answer: (_call, job) => {
          if (job === undefined) return refused(400, "InvalidRequest", "Job not found")
          const jobStatus = statusOf(job)
          bluesky.look(job)
          return { jobStatus }
        }
      }),
      ...(yield* partUploadRoutes(statusOf))
    ]
  })
)
