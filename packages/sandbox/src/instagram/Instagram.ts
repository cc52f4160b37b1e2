import { Clock, Context, Effect, Layer, Schema, Semaphore } from "effect"
import type { Refused } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { Journal } from "../Journal.ts"
import { type Arrival, isoTime, Ledger, type Publication } from "../Ledger.ts"
import { StoredMedia } from "../MediaStore.ts"
import { graphError } from "../meta/GraphErrors.ts"
import { valueOf } from "../meta/GraphParameters.ts"

/** The parameters of a post as they were sent, without the token and the addresses of files. */
export const ContainerFields = Schema.Record(Schema.String, Schema.String)

const Container = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  kind: Schema.Literals(["IMAGE", "VIDEO", "REELS", "STORIES", "CAROUSEL"]),
  /** A part of a carousel: it cannot be published alone. */
  child: Schema.Boolean,
  fields: ContainerFields,
  cover: Schema.optionalKey(StoredMedia),
  /** Null: a carousel, or bytes that are still to come. */
  media: Schema.NullOr(StoredMedia),
  children: Schema.Array(Schema.String),
  /** How many more looks find it in progress. */
  polls: Schema.Int,
  /** A subcode, or `EXPIRED`; null: it becomes `FINISHED`. */
  fails_with: Schema.NullOr(Schema.String),
  /** Unix time in milliseconds. */
  created_at: Schema.Int
})
interface StoredContainer extends Schema.Schema.Type<typeof Container> {}

const InstagramEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("container_created"), container: Container }),
  Schema.Struct({ type: Schema.Literal("received"), container: Schema.String, bytes: Schema.Int }),
  Schema.Struct({ type: Schema.Literal("uploaded"), container: Schema.String, media: StoredMedia }),
  Schema.Struct({ type: Schema.Literal("looked"), container: Schema.String }),
  Schema.Struct({ type: Schema.Literal("published"), container: Schema.String, publication: Schema.String }),
  Schema.Struct({ type: Schema.Literal("commented"), publication: Schema.String, text: Schema.String }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type InstagramEvent = typeof InstagramEvent.Type

export type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "PUBLISHED" | "ERROR" | "EXPIRED"

export interface ContainerState extends StoredContainer {
  /** Bytes of a resumable upload. */
  readonly received: number
  readonly publication: string | null
}

export interface Comment {
  readonly id: string
  readonly text: string
}

/** A container as a request asks for it. */
export type NewContainer = Omit<StoredContainer, "id" | "created_at" | "polls" | "fails_with"> & {
  readonly fails_with: string | null
}

/** The containers and comments of the stand-in for Instagram. Publications are in the ledger. */
export class Instagram extends Context.Service<
  Instagram,
  {
    create(container: NewContainer, fault: Fault | undefined): Effect.Effect<string>
    /** Undefined for a container of another account too. */
    container(account: string, id: string): ContainerState | undefined
    status(container: ContainerState): Effect.Effect<ContainerStatus>
    /** A look moves a container in progress one step on. */
    looked(container: ContainerState): void
    /** So many bytes have arrived in order. */
    received(id: string, bytes: number): void
    uploaded(id: string, media: StoredMedia): void
    publish(account: string, id: string, arrival: Arrival): Effect.Effect<Publication, Refused>
    /** The publications of the last 24 hours. */
    usage(account: string): Effect.Effect<number>
    /** Newest first. */
    posts(account: string, what: "feed" | "stories"): ReadonlyArray<Publication>
    comment(publication: string, text: string): string
    comments(publication: string): ReadonlyArray<Comment>
  }
>()("@carillon/sandbox/instagram/Instagram") {
  static readonly layer = Layer.effect(
    Instagram,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const containers = new Map<string, ContainerState>()
      const stories = new Set<string>()
      const comments = new Map<string, Array<Comment>>()
      let commentCount = 0
      let lastContainer = firstContainerId - 1n
      const oneAtATime = Semaphore.withPermit(yield* Semaphore.make(1))

      const change = (id: string, part: (before: ContainerState) => Partial<ContainerState>) => {
        const before = containers.get(id)
        if (before !== undefined) containers.set(id, { ...before, ...part(before) })
      }

      const apply = (event: InstagramEvent) => {
        switch (event.type) {
          case "container_created":
            lastContainer = BigInt(event.container.id)
            containers.set(event.container.id, { ...event.container, received: 0, publication: null })
            return
          case "received":
            return change(event.container, () => ({ received: event.bytes }))
          case "uploaded":
            return change(event.container, () => ({ media: event.media, received: event.media.size }))
          case "looked":
            return change(event.container, ({ polls }) => ({ polls: polls - 1 }))
          case "published":
            if (containers.get(event.container)?.kind === "STORIES") stories.add(event.publication)
            return change(event.container, () => ({ publication: event.publication }))
          case "commented": {
            const id = String(firstCommentId + BigInt(commentCount++))
            const before = comments.get(event.publication) ?? []
            comments.set(event.publication, [...before, { id, text: event.text }])
            return
          }
          case "reset":
            containers.clear()
            stories.clear()
            comments.clear()
        }
      }
      const happen = yield* (yield* Journal).stream("instagram", InstagramEvent, apply, { type: "reset" })

      const status = Effect.fnUntraced(function* (
        container: ContainerState
      ): Effect.fn.Return<ContainerStatus> {
        const { publication, polls, fails_with, media, kind, created_at } = container
        if (publication !== null) return "PUBLISHED"
        const age = (yield* Clock.currentTimeMillis) - created_at
        if (age > day || (polls <= 0 && fails_with === "EXPIRED")) return "EXPIRED"
        if (polls > 0) return "IN_PROGRESS"
        if (fails_with !== null) return "ERROR"
        return kind === "CAROUSEL" || media !== null ? "FINISHED" : "IN_PROGRESS"
      })

      const ofAccount = (account: string) => ledger.publications({ platform: "instagram", account })

      const usage = Effect.fnUntraced(function* (account: string) {
        const since = (yield* Clock.currentTimeMillis) - day
        return ofAccount(account).filter(({ published_at }) => Date.parse(published_at) > since).length
      })

      return Instagram.of({
        create: Effect.fn("Instagram.create")(function* (container, fault) {
          const id = String(lastContainer + 1n)
          const script = fault?.fault === "processing" ? fault : undefined
          happen({
            type: "container_created",
            container: {
              ...container,
              id,
              created_at: yield* Clock.currentTimeMillis,
              polls: script?.polls ?? 0,
              fails_with: script?.becomes === "failed" ? (script.reason ?? "2207026") : container.fails_with
            }
          })
          return id
        }, oneAtATime),
        container: (account, id) => {
          const container = containers.get(id)
          return container?.account === account ? container : undefined
        },
        status,
        looked: ({ id, polls }) => {
          if (polls > 0) happen({ type: "looked", container: id })
        },
        received: (container, bytes) => happen({ type: "received", container, bytes }),
        uploaded: (container, media) => happen({ type: "uploaded", container, media }),
        publish: Effect.fn("Instagram.publish")(function* (account, id, { id: request, received_at }) {
          const container = containers.get(id)
          if (container?.account !== account || container.child) return yield* graphError("24/2207006")
          const state = yield* status(container)
          if (state === "EXPIRED") return yield* graphError("-2/2207020")
          if (state === "IN_PROGRESS") return yield* graphError("9007/2207027")
          if (state !== "FINISHED") return yield* graphError("24/2207006")
          if ((yield* usage(account)) >= quotaOf(account))
            return yield* graphError("9/2207042", undefined, 403)
          const parts =
            container.kind === "CAROUSEL"
              ? container.children.map((child) => containers.get(child)!)
              : [container]
          const publication = ledger.publish(
            {
              platform: "instagram",
              account,
              title: null,
              text: container.kind === "STORIES" ? "" : (container.fields["caption"] ?? ""),
              media: parts.map(({ media, fields }) => ({ ...media!, alt_text: fields["alt_text"] ?? null })),
              idempotency_key: null,
              client_reference: null,
              received_at,
              published_at: isoTime(yield* Clock.currentTimeMillis),
              details: {
                ...detailsOf(container),
                ...(container.kind === "CAROUSEL" ? { items: parts.map((part) => detailsOf(part)) } : {})
              }
            },
            request
          )
          happen({ type: "published", container: id, publication: publication.id })
          return publication
        }, oneAtATime),
        usage,
        posts: (account, what) =>
          ofAccount(account)
            .filter(({ id }) => stories.has(id) === (what === "stories"))
            .toReversed(),
        comment: (publication, text) => {
          happen({ type: "commented", publication, text })
          const all = comments.get(publication)!
          ledger.tell(publication, { comments: all.map((one) => one.text) })
          return all.at(-1)!.id
        },
        comments: (publication) => comments.get(publication) ?? []
      })
    })
  )
}

/** The options that were sent besides the caption and the alt texts. */
const detailsOf = ({ kind, fields, cover }: StoredContainer) => ({
  media_type: kind,
  ...Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !elsewhere.has(name))
      .map(([name, value]) => [name, valueOf(value)] as const)
  ),
  ...(cover === undefined ? {} : { cover: { ...cover } })
})

/** Parameters that the rest of the publication shows. */
const elsewhere = new Set([
  "alt_text",
  "caption",
  "children",
  "is_carousel_item",
  "media_type",
  "upload_type"
])

const day = 24 * 3600 * 1000

// Above 2^53, as Meta's are.
const firstContainerId = 17_889_000_000_000_001n
const firstCommentId = 18_010_000_000_000_001n

/** How many publications in 24 hours; one for accounts of `...-quota`. */
export const quotaOf = (account: string): number => (account.endsWith("-quota") ? 1 : 100)
