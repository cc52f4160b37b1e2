import { Clock, Context, Effect, FiberSet, Layer, Schema, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { Refused } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { Journal } from "../Journal.ts"
import { type Arrival, isoTime, Ledger, type PublishedMedia } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { sha256 } from "../Redaction.ts"
import { pull } from "./Pull.ts"

/** The post of an init, as the platform will show it. */
const Draft = Schema.Struct({
  /** The username. */
  account: Schema.String,
  kind: Schema.Literals(["video", "photo"]),
  /** Goes to the inbox, to be finished in the app. */
  inbox: Schema.Boolean,
  title: Schema.NullOr(Schema.String),
  text: Schema.String,
  /** Only public posts get an id that others can see. */
  public: Schema.Boolean,
  /** Every other field that was sent. */
  details: Schema.Record(Schema.String, Schema.Json)
})
export interface Draft extends Schema.Schema.Type<typeof Draft> {}

/** A file that is sent in chunks. */
const Push = Schema.Struct({
  /** Missing in ledgers of before, whose uploads are over. */
  token_sha256: Schema.optionalKey(Schema.String),
  size: Schema.Int,
  chunk_size: Schema.Int,
  chunks: Schema.Int,
  /** Unix time in milliseconds. */
  expires_at: Schema.Int
})

const id = { publish_id: Schema.String }
const TikTokEvent = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("started"),
    ...id,
    draft: Draft,
    /** Null: the media are fetched from addresses. */
    push: Schema.NullOr(Push),
    request: Schema.String,
    received_at: Schema.String
  }),
  Schema.Struct({ type: Schema.Literal("received"), ...id, bytes: Schema.Int }),
  Schema.Struct({ type: Schema.Literal("downloaded"), ...id, bytes: Schema.Int }),
  Schema.Struct({
    type: Schema.Literal("posted"),
    ...id,
    /** Null: it failed. */
    publication: Schema.NullOr(Schema.String),
    reason: Schema.NullOr(Schema.String),
    polls: Schema.Int
  }),
  Schema.Struct({ type: Schema.Literal("looked"), ...id }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type TikTokEvent = typeof TikTokEvent.Type
type Started = Extract<TikTokEvent, { type: "started" }>

interface Publishing extends Started {
  readonly bytes: number
  readonly outcome?: Extract<TikTokEvent, { type: "posted" }>
  /** How many more looks find it in progress. */
  readonly polls: number
}

export interface PublishStatus {
  readonly status:
    | "PROCESSING_UPLOAD"
    | "PROCESSING_DOWNLOAD"
    | "SEND_TO_USER_INBOX"
    | "PUBLISH_COMPLETE"
    | "FAILED"
  readonly fail_reason: string | null
  /** As digits. */
  readonly post_id: string | null
  readonly pushed: boolean
  readonly bytes: number
}

/** The upload that a PUT belongs to. */
export interface Uploading {
  readonly account: string
  readonly publish_id: string
  readonly size: number
  readonly last: boolean
}

/** TikTok's publishing: posts that were begun, the bytes that have arrived, and the results. */
export class TikTok extends Context.Service<
  TikTok,
  {
    /** Begins an upload; gives its id and the token of its address. */
    startPush(
      draft: Draft,
      file: { readonly size: number; readonly chunk_size: number; readonly chunks: number },
      arrival: Arrival,
      lifetime?: number
    ): Effect.Effect<{ readonly publish_id: string; readonly upload_token: string }>
    /** Begins to fetch, and posts when every file is there. */
    startPull(
      draft: Draft,
      urls: ReadonlyArray<string>,
      arrival: Arrival,
      fault: Fault | undefined
    ): Effect.Effect<string>
    /** Whether these bytes may come now. */
    admit(
      upload: { readonly publish_id: string; readonly token: string },
      range: { readonly start: number; readonly end: number; readonly total: number }
    ): Effect.Effect<Uploading, Refused>
    /** The bytes up to `end` are there; gives the publication if these were the last. */
    received(
      publish_id: string,
      end: number,
      content_type: string,
      fault: Fault | undefined
    ): Effect.Effect<string | null>
    /** A look moves a post in progress one step on. */
    look(account: string, publish_id: string): Effect.Effect<PublishStatus, Refused>
    cancel(account: string, publish_id: string): Effect.Effect<void, Refused>
  }
>()("@carillon/sandbox/tiktok/TikTok") {
  static readonly layer = Layer.effect(
    TikTok,
    Effect.gen(function* () {
      const journal = yield* Journal
      const ledger = yield* Ledger
      const store = yield* MediaStore
      const downloads = yield* FiberSet.make<void>()
      let all = new Map<string, Publishing>()
      let count = 0

      const change = (publish_id: string, changes: Partial<Publishing>) => {
        const known = all.get(publish_id)
        if (known !== undefined) all.set(publish_id, { ...known, ...changes })
      }
      const apply = (event: TikTokEvent) => {
        switch (event.type) {
          case "started":
            count += 1
            all.set(event.publish_id, { ...event, bytes: 0, polls: 0 })
            return
          case "received":
          case "downloaded":
            return change(event.publish_id, { bytes: event.bytes })
          case "posted":
            return change(event.publish_id, { outcome: event, polls: event.polls })
          case "looked":
            return change(event.publish_id, { polls: all.get(event.publish_id)!.polls - 1 })
          case "reset":
            all = new Map()
        }
      }
      const happen = yield* journal.stream("tiktok", TikTokEvent, apply, { type: "reset" })

      const failed = (publish_id: string, reason: string, polls = 0) =>
        happen({ type: "posted", publish_id, publication: null, reason, polls })

      // A download does not outlive its process.
      for (const { publish_id, push, outcome } of all.values()) {
        if (push === null && outcome === undefined) failed(publish_id, "internal")
      }

      const start = (
        kind: "file" | "url",
        draft: Draft,
        push: Started["push"],
        { id: request, received_at }: Arrival
      ) => {
        const number = firstPublishId + BigInt(count) * 3n
        const word = draft.kind === "photo" ? "p" : "v"
        const publish_id = `${word}_${draft.inbox ? "inbox" : "pub"}_${kind}~v2-1.${number}`
        happen({ type: "started", publish_id, draft, push, request, received_at })
        return publish_id
      }

      const owned = (account: string, publish_id: string) => {
        const known = all.get(publish_id)
        return known?.draft.account === account
          ? Effect.succeed(known)
          : new Refused({
              status: 400,
              code: "invalid_publish_id",
              message: `There is no publish_id ${publish_id} of this account.`
            })
      }

      /** Finishes the post when every byte is there. */
      const finish = Effect.fnUntraced(function* (
        { publish_id, draft, request, received_at }: Publishing,
        media: ReadonlyArray<PublishedMedia>,
        fault: Fault | undefined
      ) {
        const work = fault?.fault === "processing" ? fault : undefined
        const polls = work?.polls ?? usualPolls
        if (work?.becomes === "failed") {
          failed(publish_id, work.reason ?? "file_format_check_failed", polls)
          return null
        }
        const { account, title, text, details } = draft
        const { id: publication } = ledger.publish(
          {
            platform: "tiktok",
            account,
            title,
            text,
            media,
            idempotency_key: null,
            client_reference: publish_id,
            received_at,
            published_at: isoTime(yield* Clock.currentTimeMillis),
            details
          },
          request
        )
        happen({ type: "posted", publish_id, publication, reason: null, polls })
        return publication
      })

      const download = Effect.fnUntraced(function* (
        publishing: Publishing,
        urls: ReadonlyArray<string>,
        fault: Fault | undefined
      ) {
        const { publish_id, draft } = publishing
        const media: Array<PublishedMedia> = []
        let bytes = 0
        for (const url of urls) {
          const file = yield* pull(url, draft.kind)
          if (typeof file === "string") return failed(publish_id, file)
          const received = yield* store.receive(file.content_type, Stream.succeed(file.bytes))
          media.push({ ...(yield* received.keep), alt_text: null })
          bytes += file.bytes.length
          happen({ type: "downloaded", publish_id, bytes })
        }
        if (all.get(publish_id)?.outcome !== undefined) return
        yield* finish(publishing, media, fault)
      }, Effect.scoped)

      return TikTok.of({
        startPush: Effect.fn("TikTok.startPush")(function* (draft, file, arrival, lifetime = uploadSeconds) {
          const upload_token = randomBytes(24).toString("base64url")
          const expires_at = (yield* Clock.currentTimeMillis) + lifetime * 1000
          const publish_id = start(
            "file",
            draft,
            { ...file, token_sha256: sha256(upload_token), expires_at },
            arrival
          )
          return { publish_id, upload_token }
        }),
        startPull: Effect.fn("TikTok.startPull")(function* (draft, urls, arrival, fault) {
          const publish_id = start("url", draft, null, arrival)
          yield* download(all.get(publish_id)!, urls, fault).pipe(
            Effect.andThen(journal.flushed),
            FiberSet.run(downloads)
          )
          return publish_id
        }),
        admit: Effect.fn("TikTok.admit")(function* ({ publish_id, token }, { start, end, total }) {
          const known = all.get(publish_id)
          const push = known?.push ?? undefined
          if (
            known === undefined ||
            push?.token_sha256 !== sha256(token) ||
            known.outcome?.publication === null
          ) {
            return yield* uploadRefused(404, "upload_not_found", "There is no such upload.")
          }
          if (push.expires_at <= (yield* Clock.currentTimeMillis)) {
            return yield* uploadRefused(403, "upload_expired", "The upload URL was valid for one hour.")
          }
          const { size, chunk_size, chunks } = push
          const arrived = { "content-range": contentRange(known.bytes, size) }
          if (total !== size || start !== known.bytes || end >= size || end < start) {
            return yield* uploadRefused(416, "range_invalid", "These are not the next bytes.", arrived)
          }
          const index = Math.min(Math.floor(start / chunk_size), chunks - 1)
          const boundary = index === chunks - 1 ? size : (index + 1) * chunk_size
          if (end + 1 !== boundary) {
            return yield* uploadRefused(
              400,
              "chunk_size_invalid",
              `Byte ${boundary - 1} is the last one of this chunk.`
            )
          }
          return { account: known.draft.account, publish_id, size, last: end + 1 === size }
        }),
        received: Effect.fn("TikTok.received")(function* (publish_id, end, content_type, fault) {
          happen({ type: "received", publish_id, bytes: end + 1 })
          const known = all.get(publish_id)!
          const size = known.push!.size
          if (end + 1 < size) return null
          const media = yield* store.assemble(fileOf(publish_id), size, content_type)
          return yield* finish(known, [{ ...media, alt_text: null }], fault)
        }),
        look: Effect.fn("TikTok.look")(function* (account, publish_id) {
          const { draft, push, outcome, polls, bytes } = yield* owned(account, publish_id)
          if (polls > 0) happen({ type: "looked", publish_id })
          const pushed = push !== null
          const inWork = outcome === undefined || polls > 0
          const publication = outcome?.publication ?? null
          return {
            status: inWork
              ? pushed
                ? "PROCESSING_UPLOAD"
                : "PROCESSING_DOWNLOAD"
              : publication === null
                ? "FAILED"
                : draft.inbox
                  ? "SEND_TO_USER_INBOX"
                  : "PUBLISH_COMPLETE",
            fail_reason: inWork ? null : (outcome.reason ?? null),
            post_id: inWork || !draft.public ? null : publication,
            pushed,
            bytes
          }
        }),
        cancel: Effect.fn("TikTok.cancel")(function* (account, publish_id) {
          const { push, outcome } = yield* owned(account, publish_id)
          if (push !== null || outcome !== undefined) {
            return yield* new Refused({
              status: 400,
              code: "publish_not_cancellable",
              message: "Only what is still being fetched can be cancelled."
            })
          }
          failed(publish_id, "publish_cancelled")
        })
      })
    })
  )
}

/** The media store's name for the bytes of a publish id. */
export const fileOf = (publish_id: string): string => publish_id.replaceAll(/[^\w.-]/g, "-")

/** The bytes that have arrived, as the answers to the chunks say it; without a first and last byte if none have. */
export const contentRange = (bytes: number, size: number): string =>
  bytes === 0 ? `bytes */${size}` : `bytes 0-${bytes - 1}/${size}`

const firstPublishId = 7_300_000_000_000_000_001n
const uploadSeconds = 3600
/** How often a look finds a post in progress, unless a script says otherwise. */
const usualPolls = 1

const uploadRefused = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {}
) => new Refused({ status, code, message, headers })
