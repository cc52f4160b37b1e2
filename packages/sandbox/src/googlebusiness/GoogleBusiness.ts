import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Fault } from "../Faults.ts"
import { Journal } from "../Journal.ts"
import { type Arrival, isoTime, Ledger } from "../Ledger.ts"
import type { StoredMedia } from "../MediaStore.ts"
import { hasPhoneNumber, KeptDraft, keptDraft } from "./LocalPostDraft.ts"

const LocalPost = Schema.Struct({
  id: Schema.String,
  /** The location's name. */
  location: Schema.String,
  draft: KeptDraft,
  /** How many more looks find it in processing. */
  polls: Schema.Int,
  becomes: Schema.Literals(["LIVE", "REJECTED"]),
  /** How many more looks find it live before it is rejected all the same; null: it stays. */
  lives: Schema.NullOr(Schema.Int),
  /** Null: nobody has ever seen it. */
  publication: Schema.NullOr(Schema.String),
  create_time: Schema.String,
  update_time: Schema.String
})
export interface LocalPost extends Schema.Schema.Type<typeof LocalPost> {}

const GoogleBusinessEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("created"), post: LocalPost }),
  Schema.Struct({ type: Schema.Literal("looked"), post: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("changed"),
    post: Schema.String,
    draft: KeptDraft,
    update_time: Schema.String
  }),
  Schema.Struct({ type: Schema.Literal("deleted"), post: Schema.String }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type GoogleBusinessEvent = typeof GoogleBusinessEvent.Type

export type State = "PROCESSING" | LocalPost["becomes"]

/** A post as it was asked for; `parent` is `accounts/{id}/locations/{id}`. */
interface NewPost {
  readonly location: string
  readonly parent: string
  readonly draft: KeptDraft
  readonly photos: ReadonlyArray<StoredMedia>
}

/** The local posts of the stand-in for Google Business. Those that people have seen are publications of the ledger. */
export class GoogleBusiness extends Context.Service<
  GoogleBusiness,
  {
    create(post: NewPost, fault: Fault | undefined, arrival: Arrival): Effect.Effect<LocalPost>
    find(location: string, id: string): LocalPost | undefined
    state(post: LocalPost): State
    /** The state, which a look at it moves one step on. */
    look(post: LocalPost): State
    change(post: LocalPost, draft: KeptDraft): Effect.Effect<LocalPost>
    remove(post: LocalPost): void
    /** Newest first. */
    posts(location: string): ReadonlyArray<LocalPost>
    /** Of any location. */
    byPage(id: string): LocalPost | undefined
  }
>()("@carillon/sandbox/googlebusiness/GoogleBusiness") {
  static readonly layer = Layer.effect(
    GoogleBusiness,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const posts = new Map<string, LocalPost>()
      let lastPost = firstPost - 1n

      const change = (id: string, part: (before: LocalPost) => Partial<LocalPost>) => {
        const before = posts.get(id)
        if (before !== undefined) posts.set(id, { ...before, ...part(before) })
      }

      const apply = (event: GoogleBusinessEvent) => {
        switch (event.type) {
          case "created":
            lastPost = BigInt(event.post.id)
            posts.set(event.post.id, event.post)
            return
          case "looked":
            return change(event.post, ({ lives, polls }) =>
              polls > 0 ? { polls: polls - 1 } : { lives: lives === null ? null : lives - 1 }
            )
          case "changed":
            return change(event.post, () => ({ draft: event.draft, update_time: event.update_time }))
          case "deleted":
            posts.delete(event.post)
            return
          case "reset":
            posts.clear()
        }
      }
      const happen = yield* (yield* Journal).stream("google_business", GoogleBusinessEvent, apply, {
        type: "reset"
      })

      const state = ({ becomes, lives, polls }: LocalPost): State =>
        polls > 0 ? "PROCESSING" : lives === 0 ? "REJECTED" : becomes

      const tell = ({ publication }: LocalPost, details: { readonly [name: string]: Schema.Json }) => {
        if (publication !== null) ledger.tell(publication, details)
      }

      return GoogleBusiness.of({
        create: Effect.fn("GoogleBusiness.create")(function* (asked, fault, { id: request, received_at }) {
          const { draft, location, parent, photos } = asked
          const now = isoTime(yield* Clock.currentTimeMillis)
          const script = fault?.fault === "processing" ? fault : undefined
          const isRejected = script?.becomes === "failed" || hasPhoneNumber(draft.summary ?? "")
          const id = String(lastPost + 1n)
          const publication = isRejected
            ? null
            : ledger.publish(
                {
                  platform: "google_business",
                  account: location,
                  title: draft.event?.title ?? null,
                  text: draft.summary ?? "",
                  media: photos.map((photo) => ({ ...photo, alt_text: null })),
                  idempotency_key: null,
                  client_reference: null,
                  received_at,
                  published_at: now,
                  details: { name: `${parent}/localPosts/${id}`, ...detailsOf(draft) }
                },
                request
              ).id
          happen({
            type: "created",
            post: {
              id,
              location,
              draft: keptDraft(draft),
              polls: script?.polls ?? 0,
              becomes: isRejected ? "REJECTED" : "LIVE",
              lives: location.endsWith("-flagged") ? 1 : null,
              publication,
              create_time: now,
              update_time: now
            }
          })
          return posts.get(id)!
        }),
        find: (location, id) => {
          const post = posts.get(id)
          return post?.location === location ? post : undefined
        },
        state,
        look: (post) => {
          const found = state(post)
          if (post.polls > 0 || (found === "LIVE" && post.lives !== null)) {
            happen({ type: "looked", post: post.id })
          }
          if (found === "REJECTED") tell(post, { state: found })
          return found
        },
        change: Effect.fn("GoogleBusiness.change")(function* (post, draft) {
          const update_time = isoTime(yield* Clock.currentTimeMillis)
          happen({ type: "changed", post: post.id, draft: keptDraft(draft), update_time })
          tell(post, { summary: draft.summary ?? "", ...detailsOf(draft) })
          return posts.get(post.id)!
        }),
        remove: (post) => {
          happen({ type: "deleted", post: post.id })
          tell(post, { state: "DELETED" })
        },
        posts: (location) => [...posts.values()].filter((post) => post.location === location).toReversed(),
        byPage: (id) => posts.get(id)
      })
    })
  )
}

const detailsOf = ({ media: _media, summary: _summary, ...rest }: KeptDraft) => rest

// Above 2^53, as Google's are.
const firstPost = 4_700_139_011_320_040_001n
