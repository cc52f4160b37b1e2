import type { ErrorClass } from "@carillon/domain"
import type { Handle } from "@carillon/server/engine/Handle"
import { Accepted, type Prepared, PublishError, type Reconciled } from "@carillon/server/platforms/Platform"
import { DateTime, Duration } from "effect"
import type { SeededRandom } from "../../../../../test/contract/SeededRandom.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"

export type Kind = "replay" | "lookup" | "none"

export interface Publication {
  readonly target: string
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
/** The latest that an effect comes after its call: after the first look-up, before the second that is believed. */
const latestEffect = settleWait + lookupApart / 2

/** A platform with a ledger. While it is `troubled` anything goes wrong that can. */
export class ModelPlatform {
  readonly publications: Array<Publication> = []
  troubled = true
  readonly #time: SimulatedTime
  readonly #random: SeededRandom
  readonly #kind: Kind
  readonly #working = new Map<string, { readonly until: number; readonly refused: boolean }>()
  #keys = 0

  constructor(time: SimulatedTime, random: SeededRandom, kind: Kind) {
    this.#time = time
    this.#random = random
    this.#kind = kind
  }

  of(target: string): ReadonlyArray<Publication> {
    return this.publications.filter((one) => one.target === target)
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

  commit(target: string, handle: Handle, version: number): Reply<Accepted | ReturnType<typeof dataOf>> {
    const key = String(handle["key"])
    const refusal = this.#failure(0.2, [
      "invalid",
      "transient",
      "rate_limited",
      "quota_exhausted",
      "reconnect",
      "forbidden"
    ])
    if (refusal !== undefined) return this.#reply<never>(refusal)
    if (this.#kind === "lookup" && this.#goesWrong(0.15)) {
      const refused = this.#random.chance(0.3)
      const until = this.#time.now + this.#random.below(latestEffect)
      this.#working.set(key, { until, refused })
      if (!refused) this.#time.at(until, () => this.#publish(target, key, version))
      return this.#reply(new Accepted({ handle: { ...handle, work: key }, ask_after: Duration.seconds(1) }))
    }
    if (this.#goesWrong(0.3)) {
      // Whether it had an effect, and when, is what nobody is told.
      if (this.#random.chance(0.6))
        this.#time.at(this.#time.now + this.#random.below(latestEffect), () =>
          this.#publish(target, key, version)
        )
      return this.#random.chance(0.5)
        ? { after: "never", answer: lost }
        : { after: this.#random.below(latestEffect), answer: lost }
    }
    this.#publish(target, key, version)
    return this.#reply(dataOf(key))
  }

  reconcile(target: string, handle: Handle): Reply<Reconciled> {
    if (this.#kind !== "lookup") throw new Error(`a platform of kind ${this.#kind} is asked`)
    const failure = this.#failure(0.2, ["transient", "rate_limited", "reconnect"])
    if (failure !== undefined) return this.#reply<never>(failure)
    const key = String(handle["key"])
    if (this.publications.some((one) => one.target === target && one.key === key))
      return this.#reply({ _tag: "published", data: dataOf(key) })
    const work = this.#working.get(String(handle["work"]))
    if (work !== undefined && this.#time.now < work.until)
      return this.#reply({ _tag: "working", handle, ask_after: Duration.seconds(1) })
    if (work?.refused) return this.#reply({ _tag: "refused", failure: fault("invalid") })
    return this.#reply(this.#goesWrong(0.05) ? { _tag: "unknown" } : { _tag: "not_published" })
  }

  #publish(target: string, key: string, version: number): void {
    if (this.#kind === "replay" && this.publications.some((one) => one.key === key)) return
    this.publications.push({ target, key, version, at: this.#time.now })
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

const dataOf = (key: string) => ({ id: key, url: null, username: null })

const fault = (errorClass: ErrorClass, retryAt?: number, discards = false) =>
  new PublishError({
    class: errorClass,
    code: errorClass,
    message: errorClass,
    ...(retryAt === undefined ? {} : { retry_at: DateTime.makeUnsafe(retryAt) }),
    ...(discards ? { discard_handle: true } : {})
  })

const lost = fault("ambiguous")
