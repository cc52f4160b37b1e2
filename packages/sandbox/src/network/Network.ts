import { Clock, Context, Effect, Layer, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { type Fault, ReviewState } from "../Faults.ts"
import { Refused } from "../Exchange.ts"
import { Journal } from "../Journal.ts"
import { type Arrival, isoTime, Ledger, type Publication, type PublishedMedia } from "../Ledger.ts"
import { MediaStore, type ReceivedMedia } from "../MediaStore.ts"
import { sha256 } from "../Redaction.ts"

export const Credentials = Schema.Struct({ username: Schema.String, password: Schema.String })
export type Credentials = typeof Credentials.Type

/**
 * How an account lets a client find out whether a post went through: `key` repeats the answer to a repeated
 * `Idempotency-Key`, `lookup` ignores keys and finds posts by reference, `none` does neither.
 */
export type CommitKind = "key" | "lookup" | "none"

export const PostDraft = Schema.Struct({
  text: Schema.optionalKey(Schema.String),
  title: Schema.optionalKey(Schema.NullOr(Schema.String)),
  media: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ id: Schema.String, alt_text: Schema.optionalKey(Schema.NullOr(Schema.String)) })
    )
  ),
  client_reference: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** The id of the account's own post that it answers. */
  reply_to: Schema.optionalKey(Schema.String)
})
export type PostDraft = typeof PostDraft.Type

export type MediaStatus = "processing" | "ready" | "failed"

export interface Session {
  readonly access_token: string
  /** Seconds. */
  readonly expires_in: number
  readonly username: string
  readonly account_id: string
}

const username = { username: Schema.String }
const NetworkEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("account_opened"), ...username, id: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("signed_in"),
    ...username,
    token_sha256: Schema.String,
    /** Unix time in milliseconds. */
    expires_at: Schema.Int
  }),
  Schema.Struct({ type: Schema.Literal("token_expired"), token_sha256: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("media_added"),
    ...username,
    id: Schema.String,
    polls: Schema.Int,
    becomes: Schema.Literals(["ready", "failed"])
  }),
  Schema.Struct({ type: Schema.Literal("media_polled"), id: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("review_begun"),
    /** The post's. */
    id: Schema.String,
    states: Schema.NonEmptyArray(ReviewState),
    reason: Schema.NullOr(Schema.String)
  }),
  Schema.Struct({ type: Schema.Literal("review_moved"), id: Schema.String }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type NetworkEvent = typeof NetworkEvent.Type

interface Upload {
  readonly username: string
  /** How many more looks are answered with `processing`. */
  readonly polls: number
  readonly becomes: "ready" | "failed"
}

/** `states`: the present one, and those that follow. */
type Review = Pick<Extract<NetworkEvent, { readonly type: "review_begun" }>, "states" | "reason">

/** The sandbox's own platform: its accounts, sessions and uploads. Its posts are the ledger's publications. */
export class Network extends Context.Service<
  Network,
  {
    /** `lifetime` of the token in seconds. */
    signIn(credentials: Credentials, lifetime?: number): Effect.Effect<Session, Refused>
    /** The username that the token belongs to. */
    authenticate(token: string | undefined): Effect.Effect<string, Refused>
    expire(token: string): void
    addMedia(username: string, received: ReceivedMedia, fault: Fault | undefined): Effect.Effect<string>
    /** A look moves a processing file one step on. */
    lookAtMedia(username: string, id: string): Effect.Effect<MediaStatus, Refused>
    mediaStatus(id: string): MediaStatus
    publish(
      username: string,
      draft: PostDraft,
      idempotencyKey: string | null,
      arrival: Arrival,
      fault: Fault | undefined
    ): Effect.Effect<Publication, Refused>
    find(username: string, reference: string): Effect.Effect<ReadonlyArray<Publication>, Refused>
    /** A look moves its review one state on. */
    get(username: string, id: string): Effect.Effect<Publication, Refused>
    /** What the review of a post says; undefined: it is not reviewed. `reason` of a rejection. */
    review(
      id: string
    ): { readonly state: typeof ReviewState.Type; readonly reason: string | null } | undefined
  }
>()("@carillon/sandbox/network/Network") {
  static readonly layer = Layer.effect(
    Network,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const store = yield* MediaStore
      const accounts = new Map<string, string>()
      const sessions = new Map<string, { readonly username: string; readonly expires_at: number }>()
      let uploads = new Map<string, Upload>()
      let reviews = new Map<string, Review>()

      const apply = (event: NetworkEvent) => {
        switch (event.type) {
          case "account_opened":
            accounts.set(event.username, event.id)
            return
          case "signed_in":
            sessions.set(event.token_sha256, { username: event.username, expires_at: event.expires_at })
            return
          case "token_expired": {
            const session = sessions.get(event.token_sha256)
            if (session !== undefined) sessions.set(event.token_sha256, { ...session, expires_at: 0 })
            return
          }
          case "media_added":
            uploads.set(event.id, { username: event.username, polls: event.polls, becomes: event.becomes })
            return
          case "media_polled": {
            const upload = uploads.get(event.id)
            if (upload !== undefined) uploads.set(event.id, { ...upload, polls: upload.polls - 1 })
            return
          }
          case "review_begun":
            reviews.set(event.id, event)
            return
          case "review_moved": {
            const { states, reason } = reviews.get(event.id)!
            const [, next, ...rest] = states
            if (next !== undefined) reviews.set(event.id, { states: [next, ...rest], reason })
            return
          }
          case "reset":
            uploads = new Map()
            reviews = new Map()
        }
      }
      const happen = yield* (yield* Journal).stream("network", NetworkEvent, apply, { type: "reset" })

      const statusOf = ({ polls, becomes }: Upload): MediaStatus => (polls > 0 ? "processing" : becomes)

      const uploadOf = (username: string, id: string) => {
        const upload = uploads.get(id)
        return upload?.username === username ? upload : undefined
      }

      /** One step, so that nothing can come between the check of the key and the publication. */
      const publishNow = (
        username: string,
        draft: PostDraft,
        idempotency_key: string | null,
        { id: request, received_at }: Arrival,
        now: number
      ): Publication | Refused => {
        const { text = "", title = null, media = [], client_reference = null, reply_to } = draft
        if (idempotency_key !== null && commitKindOf(username) === "key") {
          const before = ledger.byKey("sandbox", username, idempotency_key)
          if (before !== undefined) return before
        }
        if (text.trim() === "" && media.length === 0) {
          return refused(422, "empty_post", "A post needs a text or media; this one has neither.")
        }
        const length = [...graphemes.segment(text)].length
        if (length > maximumText) {
          return refused(
            422,
            "text_too_long",
            `The text has ${length} characters; at most ${maximumText} are allowed.`
          )
        }
        if (media.length > maximumMedia) {
          return refused(
            422,
            "too_many_media",
            `The post has ${media.length} media; at most ${maximumMedia} are allowed.`
          )
        }
        if (reply_to !== undefined && ledger.find("sandbox", reply_to)?.account !== username) {
          return refused(422, "post_not_found", `This account has no post ${reply_to} to answer.`)
        }
        const published: Array<PublishedMedia> = []
        for (const { id, alt_text = null } of media) {
          const upload = uploadOf(username, id)
          const stored = store.find(id)
          if (upload === undefined || stored === undefined) {
            return refused(422, "media_not_found", `This account has no media ${id}.`)
          }
          const status = statusOf(upload)
          if (status === "processing") {
            return refused(409, "media_not_ready", `Media ${id} is still processing. Post when it is ready.`)
          }
          if (status === "failed") {
            return refused(422, "media_failed", `Media ${id} could not be processed. Upload it again.`)
          }
          published.push({ ...stored, alt_text })
        }
        return ledger.publish(
          {
            platform: "sandbox",
            account: username,
            title,
            text,
            media: published,
            idempotency_key,
            client_reference,
            received_at,
            published_at: isoTime(now),
            ...(reply_to === undefined ? {} : { details: { reply_to } })
          },
          request
        )
      }

      return Network.of({
        signIn: Effect.fn("Network.signIn")(function* ({ username, password }, lifetime = sessionSeconds) {
          if (password !== "sandbox") {
            return yield* refused(
              401,
              "bad_credentials",
              `The password of ${username} is not right; here it is always "sandbox".`
            )
          }
          const now = yield* Clock.currentTimeMillis
          if (!accounts.has(username)) {
            const id = username === "demo" ? demoAccountId : String(firstAccountId + BigInt(accounts.size))
            happen({ type: "account_opened", username, id })
          }
          const access_token = `sbx_${randomBytes(24).toString("base64url")}`
          happen({
            type: "signed_in",
            username,
            token_sha256: sha256(access_token),
            expires_at: now + lifetime * 1000
          })
          return { access_token, expires_in: lifetime, username, account_id: accounts.get(username)! }
        }),
        authenticate: Effect.fnUntraced(function* (token) {
          const session = token === undefined ? undefined : sessions.get(sha256(token))
          if (session === undefined) {
            return yield* refused(
              401,
              "token_invalid",
              "Send Authorization: Bearer with a token of POST /api/session."
            )
          }
          if (session.expires_at <= (yield* Clock.currentTimeMillis)) {
            return yield* refused(401, "token_expired", "The token has expired. Sign in again.")
          }
          return session.username
        }),
        expire: (token) => happen({ type: "token_expired", token_sha256: sha256(token) }),
        addMedia: Effect.fn("Network.addMedia")(function* (username, received, fault) {
          const { id } = yield* received.keep
          const { polls, becomes = "ready" } = fault?.fault === "processing" ? fault : { polls: 0 }
          happen({ type: "media_added", username, id, polls, becomes })
          return id
        }),
        lookAtMedia: Effect.fn("Network.lookAtMedia")(function* (username, id) {
          const upload = uploadOf(username, id)
          if (upload === undefined)
            return yield* refused(404, "not_found", `This account has no media ${id}.`)
          if (upload.polls > 0) happen({ type: "media_polled", id })
          return statusOf(upload)
        }),
        mediaStatus: (id) => statusOf(uploads.get(id)!),
        publish: (username, draft, idempotencyKey, arrival, fault) =>
          Clock.clockWith((clock) =>
            Effect.suspend(() => {
              const now = clock.currentTimeMillisUnsafe()
              const result = publishNow(username, draft, idempotencyKey, arrival, now)
              if (result instanceof Refused) return Effect.fail(result)
              if (fault?.fault === "review" && !reviews.has(result.id)) {
                const { states, reason = null } = fault
                happen({ type: "review_begun", id: result.id, states, reason })
              }
              return Effect.succeed(result)
            })
          ),
        find: Effect.fn("Network.find")(function* (username, reference) {
          if (commitKindOf(username) !== "lookup") {
            return yield* refused(404, "not_supported", "The posts of this account cannot be searched.")
          }
          return ledger.byReference("sandbox", username, reference)
        }),
        get: Effect.fn("Network.get")(function* (username, id) {
          const publication = ledger.find("sandbox", id)
          if (publication?.account !== username) {
            return yield* refused(404, "not_found", `This account has no post ${id}.`)
          }
          if ((reviews.get(id)?.states.length ?? 0) > 1) happen({ type: "review_moved", id })
          return publication
        }),
        review: (id) => {
          const review = reviews.get(id)
          if (review === undefined) return undefined
          const [state] = review.states
          return { state, reason: state === "rejected" ? review.reason : null }
        }
      })
    })
  )
}

const firstAccountId = 7_400_000_000_000_000_001n
/** Known beforehand. */
const demoAccountId = String(firstAccountId - 1n)
const sessionSeconds = 3600
const maximumText = 500
const maximumMedia = 4

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const refused = (status: number, code: string, message: string) => new Refused({ status, code, message })

export const commitKindOf = (username: string): CommitKind =>
  username.endsWith("-lookup") ? "lookup" : username.endsWith("-none") ? "none" : "key"
