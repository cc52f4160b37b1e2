/**
 * Uploads in parts to Bluesky's video service, as the lexicons `app.bsky.video.*` of 12 August 2026 have them, below
 * `/video.bsky.sandbox/xrpc`. All calls take the token that `uploadVideo` takes, which the lexicons do not say.
 *
 * `startUpload` · `uploadPart?jobId&partNumber`, again and in any order · `getUploadStatus?jobId` · `finishUpload`, again too: the job, or that
 * of the same bytes · `abortUpload`. Any file has at least three parts if it has three bytes, and an account ten open uploads at most.
 */
import { ByteSize, Clock, Duration, Effect, Schema, Stream } from "effect"
import { HttpIncomingMessage } from "effect/http"
import { randomUUID } from "node:crypto"
import { Exchange } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { isoTime } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { receivedJson } from "../ReceivedJson.ts"
import { Bluesky, didOfHost, type Job, type OpenUpload, server, videoService, type Work } from "./Bluesky.ts"
import { blueskyDialect } from "./BlueskyHttp.ts"
import { refused, sessions } from "./Sessions.ts"

const largestVideo = 300_000_000
const largestPart = 8 * 1024 * 1024
const mostOpen = 10
const lifetime = Duration.hours(24)

const text = (maximum: number) => Schema.String.check(Schema.isMaxLength(maximum))
const Start = Schema.Struct({
  sizeBytes: Schema.Int.check(Schema.isGreaterThan(0)),
  mimeType: text(255).check(Schema.isMinLength(3)),
  name: Schema.optionalKey(text(256)),
  durationMs: Schema.optionalKey(Schema.Int),
  width: Schema.optionalKey(Schema.Int),
  height: Schema.optionalKey(Schema.Int)
})
const ofJob = Schema.Struct({ jobId: text(256).check(Schema.isMinLength(1)) })

const json = receivedJson((message) => refused(400, "InvalidRequest", message))

/** What the token of an upload is for. */
export const uploadToken = { aud: didOfHost(server), lxm: "com.atproto.repo.uploadBlob" }

/** What a file becomes, if a fault says so. */
export const workOf = (fault: Fault | undefined): Work | null =>
  fault?.fault === "processing"
    ? { polls: fault.polls, becomes: fault.becomes ?? "ready", reason: fault.reason ?? null }
    : null

export const partUploadRoutes = (statusOf: (job: Job) => { readonly [name: string]: Schema.Json }) =>
  Effect.gen(function* () {
    const bluesky = yield* Bluesky
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const { inService } = sessions(yield* Tokens)

    const endpoint = exchange.endpoints({
      dialect: blueskyDialect,
      caller: (arrived) => inService(arrived, uploadToken)
    })

    /** The upload in its present state. */
    const uploadOf = (account: string, id: string) => {
      const upload = bluesky.uploads(account).find((one) => one.id === id)
      return upload === undefined
        ? refused(400, "UploadNotFound", "The job ID is unknown")
        : Effect.succeed(upload)
    }
    /** A video that is told to be finished is a file of the account. */
    const told = (job: Job) => {
      if (job.polls === 0) bluesky.look(job)
      return statusOf(job)
    }
    const partsOf = ({ part_size, size }: Pick<OpenUpload, "part_size" | "size">) =>
      Math.ceil(size / part_size)
    const received = ({ parts }: OpenUpload) => [...parts.keys()].toSorted((one, other) => one - other)
    const hasExpired = (upload: OpenUpload) =>
      Effect.map(Clock.currentTimeMillis, (now) => upload.state === "created" && now > upload.expires_at)

    /** The upload, which can go on. */
    const openUpload = Effect.fnUntraced(function* (account: string, id: string) {
      const upload = yield* uploadOf(account, id)
      if (upload.state === "aborted") return yield* refused(400, "UploadAborted", "The upload was aborted")
      return (yield* hasExpired(upload)) ? yield* refused(400, "UploadExpired", "The upload expired") : upload
    })

    /** The parts in their order as one file. */
    const assembled = Effect.fnUntraced(function* (upload: OpenUpload) {
      let size = 0
      for (const number of received(upload)) {
        const part = store.find(upload.parts.get(number)!)!
        size = yield* Effect.scoped(
          Effect.flatMap(store.open(part.id, { start: 0, end: part.size - 1 }), (bytes) =>
            store.append(
              `video-${upload.id}`,
              size,
              Stream.orDie(Stream.fromAsyncIterable<Uint8Array, unknown>(bytes, (cause) => cause))
            )
          )
        )
      }
      return yield* store.assemble(`video-${upload.id}`, size, upload.content_type)
    })

    const base = `/${videoService}/xrpc/app.bsky.video` as const
    return [
      endpoint("POST", `${base}.startUpload`, {
        operation: "upload",
        read: (call) => json(call, Start),
        answer: ({ account }, { mimeType, sizeBytes }) =>
          Effect.gen(function* () {
            if (mimeType !== "video/mp4")
              return yield* refused(400, "UnsupportedContentType", "Unsupported content type")
            if (sizeBytes > largestVideo)
              return yield* refused(400, "VideoTooLarge", "The video is too large")
            const now = yield* Clock.currentTimeMillis
            const open = bluesky
              .uploads(account)
              .filter(({ expires_at, state }) => state === "created" && expires_at > now)
            if (open.length >= mostOpen)
              return yield* refused(400, "TooManyOpenUploads", "The account has too many open uploads")
            const upload = {
              id: randomUUID(),
              account,
              content_type: mimeType,
              size: sizeBytes,
              part_size: Math.min(largestPart, Math.ceil(sizeBytes / 3)),
              expires_at: now + Duration.toMillis(lifetime)
            }
            bluesky.startUpload(upload)
            return {
              jobId: upload.id,
              partSizeBytes: upload.part_size,
              partCount: partsOf(upload),
              expiresAt: isoTime(upload.expires_at)
            }
          })
      }),
      endpoint("POST", `${base}.uploadPart`, {
        operation: "media",
        read: ({ account, query, request }) =>
          Effect.gen(function* () {
            const upload = yield* uploadOf(account, query.get("jobId") ?? "")
            const partNumber = query.get("partNumber") ?? ""
            const number = Number(partNumber)
            if (!/^[1-9]\d{0,6}$/.test(partNumber) || number > partsOf(upload))
              return yield* refused(400, "InvalidPartNumber", "The part number is outside of the range")
            const expected = Math.min(upload.part_size, upload.size - (number - 1) * upload.part_size)
            if (request.headers["content-length"] !== String(expected))
              return yield* refused(400, "PartSizeMismatch", `Content-Length of this part is ${expected}`)
            const part = yield* store
              .receive("application/octet-stream", request.stream)
              .pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(largestPart)))
            return { id: upload.id, number, part }
          }),
        answer: ({ account, fault }, { id, number, part }) =>
          Effect.gen(function* () {
            if ((yield* uploadOf(account, id)).state === "completed")
              return yield* refused(400, "UploadAlreadyCompleted", "The upload is completed")
            yield* openUpload(account, id)
            bluesky.receivePart(id, number, (yield* part.keep).id, workOf(fault))
            return { partNumber: number, sizeBytes: part.size }
          })
      }),
      endpoint("GET", `${base}.getUploadStatus`, {
        operation: "media_status",
        answer: ({ account, query }) =>
          Effect.gen(function* () {
            const upload = yield* uploadOf(account, query.get("jobId") ?? "")
            const job = upload.job === null ? undefined : bluesky.job(upload.job)
            return {
              jobId: upload.id,
              partSizeBytes: upload.part_size,
              partCount: partsOf(upload),
              receivedParts: received(upload),
              expiresAt: isoTime(upload.expires_at),
              state: (yield* hasExpired(upload)) ? "expired" : upload.state,
              ...(job === undefined ? {} : { completedJobId: job.id, jobStatus: told(job) })
            }
          })
      }),
      endpoint("POST", `${base}.finishUpload`, {
        operation: "upload",
        read: (call) => json(call, ofJob),
        answer: ({ account }, { jobId }) =>
          Effect.gen(function* () {
            const upload = yield* openUpload(account, jobId)
            let job = upload.job === null ? undefined : bluesky.job(upload.job)
            if (job === undefined) {
              const there = received(upload)
              const missing = Array.from({ length: partsOf(upload) }, (_, index) => index + 1).filter(
                (number) => !there.includes(number)
              )
              if (missing.length > 0)
                return yield* refused(400, "MissingParts", `Missing parts: ${missing.join(", ")}`)
              const media = yield* assembled(upload)
              job =
                bluesky.jobOf(account, media.sha256) ??
                bluesky.send({
                  id: jobId,
                  account,
                  media: media.id,
                  ...(upload.work ?? { polls: 0, becomes: "ready", reason: null })
                })
              bluesky.endUpload(jobId, "completed", job.id)
            }
            return { completedJobId: job.id, jobStatus: told(job) }
          })
      }),
      endpoint("POST", `${base}.abortUpload`, {
        operation: "upload",
        read: (call) => json(call, ofJob),
        answer: ({ account }, { jobId }) =>
          Effect.map(uploadOf(account, jobId), ({ job, state }) => {
            if (state === "created") bluesky.endUpload(jobId, "aborted", null)
            return state === "completed" ? { state, completedJobId: job } : { state: "aborted" }
          })
      })
    ]
  })
