import type { ErrorClass, PlatformData } from "@carillon/domain"
import type { Handle } from "@carillon/server/engine/Handle"
import {
  Accepted,
  type PlaceInThread,
  type Prepared,
  PublishError,
  type PublishRequest,
  type Reconciled,
  WholeThread
} from "@carillon/server/platforms/Platform"
import { DateTime, Duration } from "effect"
import type { SeededRandom } from "../../../../../test/contract/SeededRandom.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"

export type Kind = "replay" | "lookup" | "none"

export interface Publication {
  readonly target: string
  /** The platform's id of its account. */
  readonly account: string
  /** Its place in the thread; 0 for a single post. */
  readonly item: number
  /** What the platform calls it. */
  readonly id: string
  /** What it answers. */
  readonly parent: string | null
  readonly key: string
  readonly version: number
  readonly at: number
}

/** What the caller hears; `after` in milliseconds, never: it hears nothing. */
export interface Reply<A> {
  readonly after: number | "never"
  readonly answer: A | PublishError
}

export const settleWait = 5000
export const lookupApart = 4000
/** How far before its time a post is looked for by its words. */
const slack = 60_000
/** The latest that an effect comes after its call: after the first look-up, before the second that is believed. */
const latestEffect = settleWait + lookupApart / 2

/** A platform with a ledger. While it is `troubled` anything goes wrong that can. */
export class ModelPlatform {
  readonly publications: Array<Publication> = []
  troubled = true
  readonly #time: SimulatedTime
  readonly #random: SeededRandom
  readonly #kind: Kind
  readonly #byWords: boolean
  readonly #working = new Map<string, { readonly until: number; readonly refused: boolean }>()
  #keys = 0
  #ids = 0

  /** `byWords`: it knows no key, so a look-up finds what says the same. */
  constructor(time: SimulatedTime, random: SeededRandom, kind: Kind, byWords: boolean) {
    this.#time = time
    this.#random = random
    this.#kind = kind
    this.#byWords = byWords
  }

  of(target: string, item: number): ReadonlyArray<Publication> {
    return this.publications.filter((one) => one.target === target && one.item === item)
  }

  prepare(handle: Handle | null): Reply<Prepared> {
    const failure = this.#failure(0.1, ["transient", "media_rejected", "rate_limited", "reconnect"])
    if (failure !== undefined) return this.#reply<never>(failure)
    const next = handle ?? { key: `key-${++this.#keys}` }
    return this.#reply(
      this.#goesWrong(0.2)
        ? { _tag: "wait", handle: next, poll_after: Duration.seconds(2) }
        : { _tag: "ready", handle: next }
    )
  }

  poll(handle: Handle): Reply<Prepared> {
    const failure = this.#failure(0.1, ["transient", "media_rejected"])
    return this.#reply(
      failure ??
        (this.#goesWrong(0.3)
          ? { _tag: "wait", handle, poll_after: Duration.seconds(3) }
          : { _tag: "ready", handle })
    )
  }

  commit(request: PublishRequest, handle: Handle): Reply<PlatformData | WholeThread | Accepted> {
    const key = String(handle["key"])
    const refusal = this.#failure(0.2, [
      "invalid",
      "transient",
      "rate_limited",
      "quota_exhausted",
      "reconnect",
      "forbidden",
      "config"
    ])
    if (refusal !== undefined) return this.#reply<never>(refusal)
    this.#working.delete(key)
    if (this.#kind === "lookup" && this.#goesWrong(0.15)) {
      const refused = this.#random.chance(0.3)
      const until = this.#time.now + this.#random.below(latestEffect)
      this.#working.set(key, { until, refused })
      if (!refused) this.#time.at(until, () => this.#publish(request, key))
      return this.#reply(new Accepted({ handle: { ...handle, work: key }, ask_after: Duration.seconds(1) }))
    }
    if (this.#goesWrong(0.3)) {
      // Whether it had an effect, and when, is what nobody is told.
      if (this.#random.chance(0.6))
        this.#time.at(this.#time.now + this.#random.below(latestEffect), () => this.#publish(request, key))
      return this.#random.chance(0.5)
        ? { after: "never", answer: lost }
        : { after: this.#random.below(latestEffect), answer: lost }
    }
    this.#publish(request, key)
    return this.#reply(this.#byWords ? dataOf(this.publications.at(-1)!.id) : answerTo(request, key))
  }

  /** Where words tell: the ids of what says the same, the newest first. */
  reconcile(request: PublishRequest, handle: Handle): Reply<Reconciled | ReadonlyArray<string>> {
    if (this.#kind !== "lookup") throw new Error(`a platform of kind ${this.#kind} is asked`)
    const failure = this.#failure(0.2, ["transient", "rate_limited", "reconnect"])
    if (failure !== undefined) return this.#reply<never>(failure)
    const key = String(handle["key"])
    if (!this.#byWords && this.publications.some((one) => one.key === key)) {
      const found = answerTo(request, key)
      return this.#reply<Reconciled>(
        found instanceof WholeThread
          ? { _tag: "thread_published", thread: found }
          : { _tag: "published", data: found }
      )
    }
    const work = this.#working.get(String(handle["work"]))
    if (work !== undefined && this.#time.now < work.until)
      return this.#reply({ _tag: "working", handle, ask_after: Duration.seconds(1) })
    if (work?.refused) return this.#reply({ _tag: "refused", failure: fault("invalid") })
    if (this.#byWords) {
      if (this.#goesWrong(0.05)) return this.#reply({ _tag: "unknown" })
      const { caption, thread, due_at, remote_id } = request
      const parent = thread?.parent?.id ?? null
      const since = DateTime.toEpochMillis(due_at) - slack
      const alike = this.publications.filter(
        (one) =>
          one.account === remote_id &&
          `${one.version}/${one.item}` === caption &&
          one.parent === parent &&
          one.at >= since
      )
      return this.#reply(alike.map(({ id }) => id).toReversed())
    }
    return this.#reply(this.#goesWrong(0.05) ? { _tag: "unknown" } : { _tag: "not_published" })
  }

  #publish({ target_id, remote_id: account, caption, thread }: PublishRequest, key: string): void {
    if (this.#kind === "replay" && this.publications.some((one) => one.key === key)) return
    const first = placeOf(thread).index
    const target = first === 0 ? target_id : target_id.slice(0, -`-${first}`.length)
    const captions = [caption, ...(thread?.rest ?? []).map((one) => one.caption)]
    let parent = thread?.parent?.id ?? null
    captions.forEach((words, index) => {
      // Whoever sends it again under one key makes another post.
      const id = this.#byWords ? `remote-${++this.#ids}` : idOf(key, index)
      const [version = "", item] = words.split("/")
      if (Number(item) !== first + index) throw new Error(`item ${first + index} of ${target} says ${words}`)
      this.publications.push({
        target,
        account,
        item: first + index,
        id,
        parent,
        key,
        version: Number(version),
        at: this.#time.now
      })
      parent = id
    })
  }

  #goesWrong(probability: number): boolean {
    return this.troubled && this.#random.chance(probability)
  }

  #failure(probability: number, classes: ReadonlyArray<ErrorClass>): PublishError | undefined {
    if (!this.#goesWrong(probability)) return undefined
    return fault(
      this.#random.pick(classes),
      this.#random.chance(0.5) ? this.#time.now + this.#random.below(600_000) : undefined,
      this.#random.chance(0.2)
    )
  }

  #reply<A>(answer: A | PublishError): Reply<A> {
    return { after: this.#goesWrong(0.1) ? this.#random.below(30_000) : this.#random.below(400), answer }
  }
}

/** For a single post too. */
const placeOf = (thread: PlaceInThread | null) => thread ?? { index: 0, count: 1, rest: [] }

const idOf = (key: string, index: number) => `${key}/${index}`

export const dataOf = (id: string): PlatformData => ({ id, url: null, username: null })

const answerTo = ({ thread }: PublishRequest, key: string) => {
  const { rest } = placeOf(thread)
  const items = [null, ...rest].map((_, index) => dataOf(idOf(key, index)))
  return rest.length === 0 ? items[0]! : new WholeThread({ items })
}

const fault = (errorClass: ErrorClass, retryAt?: number, discards = false) =>
  new PublishError({
    class: errorClass,
    code: errorClass,
    message: errorClass,
    ...(retryAt === undefined ? {} : { retry_at: DateTime.makeUnsafe(retryAt) }),
    ...(discards ? { discard_handle: true } : {})
  })

const lost = fault("ambiguous")
