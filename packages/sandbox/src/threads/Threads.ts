import { Clock, Context, Effect, Layer, Schema, Semaphore } from "effect"
import type { Refused } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { graphError } from "../meta/GraphErrors.ts"
import { Journal } from "../Journal.ts"
import { type Arrival, isoTime, Ledger, type Publication } from "../Ledger.ts"
import { StoredMedia } from "../MediaStore.ts"
import { noContainer } from "./ThreadsErrors.ts"

const Container = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  /** A part of a carousel: it cannot be published alone. */
  child: Schema.Boolean,
  text: Schema.String,
  alt_text: Schema.NullOr(Schema.String),
  /** What else was sent, by the names of its parameters. */
  details: Schema.Record(Schema.String, Schema.Json),
  /** Null: a text, a carousel, or a video that could not be fetched. */
  media: Schema.NullOr(StoredMedia),
  children: Schema.Array(Schema.String),
  /** How many more looks find it in progress. */
  polls: Schema.Int,
  /** An `error_message`, or `EXPIRED`; null: it becomes `FINISHED`. */
  fails_with: Schema.NullOr(Schema.String),
  /** Unix time in milliseconds. */
  created_at: Schema.Int
})
interface StoredContainer extends Schema.Schema.Type<typeof Container> {}

const ThreadsEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("container_created"), container: Container }),
  Schema.Struct({ type: Schema.Literal("looked"), container: Schema.String }),
  Schema.Struct({ type: Schema.Literal("published"), container: Schema.String }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type ThreadsEvent = typeof ThreadsEvent.Type

type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "PUBLISHED" | "ERROR" | "EXPIRED"

interface ContainerState extends StoredContainer {
  readonly published: boolean
}

/** A container as a request asks for it. */
export type NewContainer = Omit<StoredContainer, "id" | "created_at" | "polls">

interface Usage {
  readonly posts: number
  readonly replies: number
}

/** The containers of the stand-in for Threads. Publications are in the ledger. */
export class Threads extends Context.Service<
  Threads,
  {
    create(container: NewContainer, fault: Fault | undefined): Effect.Effect<string>
    /** Undefined for a container of another account too. */
    container(account: string, id: string): ContainerState | undefined
    status(container: ContainerState): Effect.Effect<ContainerStatus>
    /** A look moves a container in progress one step on. */
    looked(container: ContainerState): void
    publish(account: string, id: string, arrival: Arrival): Effect.Effect<Publication, Refused>
    /** Of the last 24 hours. */
    usage(account: string): Effect.Effect<Usage>
    /** Newest first. */
    posts(account: string): ReadonlyArray<Publication>
  }
>()("@carillon/sandbox/threads/Threads") {
  static readonly layer = Layer.effect(
    Threads,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const containers = new Map<string, ContainerState>()
      let lastContainer = firstContainerId - 1n
      const oneAtATime = Semaphore.withPermit(yield* Semaphore.make(1))

      const apply = (event: ThreadsEvent) => {
        if (event.type === "reset") return containers.clear()
        if (event.type === "container_created") {
          lastContainer = BigInt(event.container.id)
          containers.set(event.container.id, { ...event.container, published: false })
          return
        }
        const before = containers.get(event.container)
        if (before === undefined) return
        const part = event.type === "looked" ? { polls: before.polls - 1 } : { published: true }
        containers.set(event.container, { ...before, ...part })
      }
      const happen = yield* (yield* Journal).stream("threads", ThreadsEvent, apply, { type: "reset" })

      const status = Effect.fnUntraced(function* ({
        created_at,
        fails_with,
        polls,
        published
      }: ContainerState): Effect.fn.Return<ContainerStatus> {
        if (published) return "PUBLISHED"
        const age = (yield* Clock.currentTimeMillis) - created_at
        if (age > day || (polls <= 0 && fails_with === "EXPIRED")) return "EXPIRED"
        if (polls > 0) return "IN_PROGRESS"
        return fails_with === null ? "FINISHED" : "ERROR"
      })

      const posts = (account: string) => ledger.publications({ platform: "threads", account }).toReversed()

      const usage = Effect.fnUntraced(function* (account: string) {
        const since = (yield* Clock.currentTimeMillis) - day
        const recent = posts(account).filter(({ published_at }) => Date.parse(published_at) > since)
        const replies = recent.filter(isReply).length
        return { posts: recent.length - replies, replies }
      })

      return Threads.of({
        create: Effect.fn("Threads.create")(function* (container, fault) {
          const id = String(lastContainer + 1n)
          const script = fault?.fault === "processing" ? fault : undefined
          const fails_with =
            script?.becomes === "failed" ? (script.reason ?? "FAILED_PROCESSING_VIDEO") : container.fails_with
          const created_at = yield* Clock.currentTimeMillis
          happen({
            type: "container_created",
            container: { ...container, id, created_at, polls: script?.polls ?? 0, fails_with }
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
        publish: Effect.fn("Threads.publish")(function* (account, id, { id: request, received_at }) {
          const container = containers.get(id)
          if (container?.account !== account || container.child) return yield* noContainer(id)
          if ((yield* status(container)) !== "FINISHED") return yield* noContainer(id)
          const used = yield* usage(account)
          const quota = quotasOf(account)
          if (isReply(container) ? used.replies >= quota.replies : used.posts >= quota.posts) {
            return yield* graphError("9/2207042", undefined, 403)
          }
          const children = container.children.map((child) => containers.get(child)!)
          const parts = container.children.length > 0 ? children : [container]
          const publication = ledger.publish(
            {
              platform: "threads",
              account,
              title: null,
              text: container.text,
              media: parts.flatMap(({ alt_text, media }) => (media === null ? [] : [{ ...media, alt_text }])),
              idempotency_key: null,
              client_reference: null,
              received_at,
              published_at: isoTime(yield* Clock.currentTimeMillis),
              details: {
                ...container.details,
                ...(children.length === 0 ? {} : { items: children.map(({ details }) => details) })
              }
            },
            request
          )
          happen({ type: "published", container: id })
          return publication
        }, oneAtATime),
        usage,
        posts
      })
    })
  )
}

/** The id of the post that it answers. */
export const repliedTo = ({ details }: Pick<Publication, "details">) =>
  details?.["reply_to_id"] as string | undefined

export const isReply = (post: Pick<Publication, "details">) => repliedTo(post) !== undefined

/** How many of each in 24 hours; one for accounts of `...-quota`. */
export const quotasOf = (account: string): Usage =>
  account.endsWith("-quota") ? { posts: 1, replies: 1 } : { posts: 250, replies: 1000 }

const day = 24 * 3600 * 1000

// Above 2^53, as Meta's are.
const firstContainerId = 18_010_000_000_500_001n
