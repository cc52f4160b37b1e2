/**
 * Uploads in parts to Bluesky's video service, as the lexicons `app.bsky.video.*` of 12 August 2026 have them, below
 * `/video.bsky.sandbox/xrpc`. All calls take the token that `uploadVideo` takes, which the lexicons do not say.
 *
 * `startUpload` · `uploadPart?jobId&partNumber`, again and in any order · `getUploadStatus?jobId` · `finishUpload`, again too: the job, or that
 * of the same bytes · `abortUpload`. Any file has at least three parts if it has three bytes, and an account ten open uploads at most.
 */
import { ByteSize, Clock, Duration, Effect, Schema, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, type HttpServerRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import { Exchange, type Seen } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { isoTime } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { Tokens } from "../oauth/Tokens.ts"
import type { Operation } from "../Platforms.ts"
import { Bluesky, didOfHost, type Job, type OpenUpload, server, videoService, type Work } from "./Bluesky.ts"
import { blueskyDialect, parameters, whole } from "./BlueskyHttp.ts"
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

    const caller = (request: HttpServerRequest.HttpServerRequest, seen: Seen, operation: Operation) => {
      seen.operation = operation
      return inService(request, seen, didOfHost(server), "com.atproto.repo.uploadBlob")
    }

    const read = <A>(request: HttpServerRequest.HttpServerRequest, schema: Schema.Decoder<A>) =>
      Effect.flatMap(request.text, (body) =>
        Effect.mapError(Schema.decodeEffect(Schema.fromJsonString(schema))(body), ({ message }) =>
          refused(400, "InvalidRequest", message)
        )
      )

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
    const partsOf = ({ part_size, size }: OpenUpload) => Math.ceil(size / part_size)
    const received = ({ parts }: OpenUpload) => [...parts.keys()].toSorted((one, other) => one - other)
    const hasExpired = (upload: OpenUpload) =>
      Effect.map(Clock.currentTimeMillis, (now) => upload.state === "created" && now > upload.expires_at)

    const startUpload = exchange.answer(
      blueskyDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { account, expireToken } = yield* caller(request, seen, "upload")
        const { mimeType, sizeBytes } = yield* read(request, Start)
        return {
          expireToken,
          effect: Effect.fnUntraced(function* () {
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
              status: 200,
              body: {
                jobId: upload.id,
                partSizeBytes: upload.part_size,
                partCount: Math.ceil(upload.size / upload.part_size),
                expiresAt: isoTime(upload.expires_at)
              }
            }
          })
        }
      })
    )

    const uploadPart = exchange.answer(
      blueskyDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { account, expireToken } = yield* caller(request, seen, "media")
        const { jobId = "", partNumber = "" } = yield* parameters
        const upload = yield* uploadOf(account, jobId)
        const number = Number(partNumber)
        if (!/^[1-9]\d{0,6}$/.test(partNumber) || number > partsOf(upload))
          return yield* refused(400, "InvalidPartNumber", "The part number is outside of the range")
        const expected = Math.min(upload.part_size, upload.size - (number - 1) * upload.part_size)
        if (request.headers["content-length"] !== String(expected))
          return yield* refused(400, "PartSizeMismatch", `Content-Length of this part is ${expected}`)
        const part = yield* store
          .receive("application/octet-stream", request.stream)
          .pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(largestPart)))
        return {
          expireToken,
          effect: Effect.fnUntraced(function* (fault) {
            const present = yield* uploadOf(account, jobId)
            if (present.state === "completed")
              return yield* refused(400, "UploadAlreadyCompleted", "The upload is completed")
            if (present.state === "aborted")
              return yield* refused(400, "UploadAborted", "The upload was aborted")
            if (yield* hasExpired(present)) return yield* refused(400, "UploadExpired", "The upload expired")
            bluesky.receivePart(jobId, number, (yield* part.keep).id, workOf(fault))
            return { status: 200, body: { partNumber: number, sizeBytes: part.size } }
          })
        }
      })
    )

    const getUploadStatus = exchange.answer(
      blueskyDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { account, expireToken } = yield* caller(request, seen, "media_status")
        const { jobId = "" } = yield* parameters
        return {
          expireToken,
          effect: Effect.fnUntraced(function* () {
            const upload = yield* uploadOf(account, jobId)
            const job = upload.job === null ? undefined : bluesky.job(upload.job)
            return {
              status: 200,
              body: {
                jobId,
                partSizeBytes: upload.part_size,
                partCount: partsOf(upload),
                receivedParts: received(upload),
                expiresAt: isoTime(upload.expires_at),
                state: (yield* hasExpired(upload)) ? "expired" : upload.state,
                ...(job === undefined ? {} : { completedJobId: job.id, jobStatus: told(job) })
              }
            }
          })
        }
      })
    )

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

    const finishUpload = exchange.answer(
      blueskyDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { account, expireToken } = yield* caller(request, seen, "upload")
        const { jobId } = yield* read(request, ofJob)
        return {
          expireToken,
          effect: Effect.fnUntraced(function* () {
            const upload = yield* uploadOf(account, jobId)
            if (upload.state === "aborted")
              return yield* refused(400, "UploadAborted", "The upload was aborted")
            if (yield* hasExpired(upload)) return yield* refused(400, "UploadExpired", "The upload expired")
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
            return { status: 200, body: { completedJobId: job.id, jobStatus: told(job) } }
          })
        }
      })
    )

    const abortUpload = exchange.answer(
      blueskyDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { account, expireToken } = yield* caller(request, seen, "upload")
        const { jobId } = yield* read(request, ofJob)
        return {
          expireToken,
          effect: Effect.fnUntraced(function* () {
            const { job, state } = yield* uploadOf(account, jobId)
            if (state === "created") bluesky.endUpload(jobId, "aborted", null)
            return {
              status: 200,
              body: state === "completed" ? { state, completedJobId: job } : { state: "aborted" }
            }
          })
        }
      })
    )

    const base = `/${videoService}/xrpc/app.bsky.video` as const
    return [
      HttpRouter.route("POST", `${base}.startUpload`, startUpload, whole),
      HttpRouter.route("POST", `${base}.uploadPart`, uploadPart, whole),
      HttpRouter.route("GET", `${base}.getUploadStatus`, getUploadStatus, whole),
      HttpRouter.route("POST", `${base}.finishUpload`, finishUpload, whole),
      HttpRouter.route("POST", `${base}.abortUpload`, abortUpload, whole)
    ]
  })
