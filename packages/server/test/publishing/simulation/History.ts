import { postStatus, statesBefore, terminalStates } from "@carillon/domain"
import { Duration } from "effect"
import { SeededRandom } from "../../../../../test/contract/SeededRandom.ts"
import { type Kind, ModelPlatform } from "./ModelPlatform.ts"
import { latenessLimit, type ModelAccount, ModelStore, type ModelTarget } from "./ModelStore.ts"
import { SimulatedProcess, type World } from "./SimulatedProcess.ts"
import { SimulatedTime } from "./SimulatedTime.ts"

const minute = 60_000
const mostSteps = 100_000

/** What a history came to, for counting. */
export interface Told {
  readonly kind: Kind
  readonly states: ReadonlyArray<string>
  readonly publications: number
  readonly deaths: number
  readonly stalls: number
  /** Processes that lived and could not be seen to. */
  readonly unseen: number
  readonly takeovers: number
  readonly forced: number
  readonly edits: number
  readonly steps: number
}

/** Throws where a promise of the engine is broken. Everything about it follows from its seed. */
export const runHistory = (seed: number): Told => {
  const random = new SeededRandom(seed)
  const time = new SimulatedTime(Date.parse("2026-11-21T12:00:00Z"))
  const kind = random.pick<Kind>(["replay", "lookup", "none"])
  const platform = new ModelPlatform(time, random, kind)
  const accounts = Array.from({ length: 1 + random.below(2) }, (_, index): ModelAccount => ({
    id: index + 1,
    status: "connected",
    pausedUntil: null
  }))
  const begun = time.now
  const targets = Array.from({ length: 1 + random.below(2) }, (_, post) => {
    const due = begun + random.below(3 * minute)
    return accounts.map(({ id }): ModelTarget => ({
      id: `target-${post}-${id}`,
      post: `post-${post}`,
      account: id,
      state: "waiting",
      fence: 0,
      due,
      next: Math.max(begun, due - 1500),
      holder: null,
      markedAt: null,
      lookedUpAt: null,
      handle: null,
      step: "prepare",
      attempts: 0,
      error: null,
      itemCount: null,
      items: [],
      version: 0,
      forced: 0,
      since: begun
    }))
  }).flat()

  const count = { deaths: 0, stalls: 0, unseen: 0, takeovers: 0, edits: 0, steps: 0 }
  const processes: Array<SimulatedProcess> = []
  const commits = new Set<string>()
  let troubled = true
  const lookAgain = () => {
    for (const process of processes) process.arm()
  }
  const store = new ModelStore(
    time,
    targets,
    accounts,
    lookAgain,
    (holder) => processes.find(({ number }) => number === holder)?.seen === true
  )
  const start = () => processes.push(new SimulatedProcess(world, processes.length))
  const claim = store.claim.bind(store)
  store.claim = (self) => {
    const claimed = claim(self)
    count.takeovers += claimed.filter(({ taken_over }) => taken_over).length
    return claimed
  }
  const world: World = {
    time,
    random,
    kind,
    store,
    platform,
    fate: () => {
      const at = troubled ? random.next() : 1
      if (at < 0.02) count.deaths++
      else if (at < 0.03) count.stalls++
      else if (at < 0.05) count.unseen++
      return at < 0.02 ? "dies" : at < 0.03 ? "stalls" : at < 0.05 ? "unseen" : "goes_on"
    },
    committing: (target, fence) => {
      const call = `${target} under fence ${fence}`
      if (commits.has(call)) throw new Error(`a second commit of ${call}`)
      commits.add(call)
      const { due } = store.get(target)
      if (store.get(target).fence === fence && time.now < due)
        throw new Error(`a commit of ${target} ${due - time.now} ms before it is due`)
    },
    died: () => time.at(time.now + random.below(minute), start),
    looksChanged: () => time.at(time.now + random.below(1000), lookAgain)
  }
  for (let left = 1 + random.below(3); left > 0; left--) start()

  /** A person looks only when the platform has done whatever it still might. */
  const looksAt = (target: ModelTarget) => {
    if (target.state !== "unconfirmed" || time.now - target.since < minute) return
    const live = platform.of(target.id).length > 0
    if (random.chance(0.3)) {
      if (store.restart(target, "force_retry", time.now)) target.forced++
    } else store.change(target, live ? "confirm_published" : "confirm_not_published", null)
  }
  const edit = (target: ModelTarget) => {
    const ofPost = targets.filter(({ post }) => post === target.post)
    if (!ofPost.every(({ state }) => statesBefore("enqueue").includes(state))) return
    count.edits++
    const due = time.now + random.below(2 * minute)
    const draft = random.chance(0.3)
    for (const one of ofPost) {
      one.version++
      if (draft) {
        store.change(one, "withdraw", null)
        Object.assign(one, { step: "prepare", handle: null, attempts: 0, error: null })
      } else store.restart(one, "enqueue", due)
    }
  }
  const persons: ReadonlyArray<() => unknown> = [
    () => edit(random.pick(targets)),
    () => looksAt(random.pick(targets)),
    () => store.restart(random.pick(targets), "retry", time.now),
    () => store.resume(random.pick(accounts).id, random.chance(0.3) ? "disconnected" : "connected"),
    () => store.pauseAccount(random.pick(accounts).id, time.now + random.below(10 * minute))
  ]
  const trouble = 5 * minute + random.below(30 * minute)
  for (let left = random.below(8); left > 0; left--)
    time.at(begun + random.below(trouble), () => random.pick(persons)())
  time.at(begun + trouble, () => {
    troubled = false
    platform.troubled = false
    for (const account of accounts)
      if (account.status === "needs_reconnect") store.resume(account.id, "connected")
  })

  const toTheEnd = () => {
    while (time.step()) {
      if (++count.steps > mostSteps) throw new Error("it does not come to an end")
      for (const target of targets) {
        const open = !terminalStates.has(target.state) && target.state !== "draft"
        if (open !== (target.next !== null))
          throw new Error(`${target.id} is ${target.state} without a next step`)
      }
    }
  }

  const check = () => {
    for (const target of targets) {
      const { id, state, forced } = target
      const live = platform.of(id)
      if (live.length > 1 + forced)
        throw new Error(`${id} is live ${live.length} times, forced ${forced} times`)
      if (!terminalStates.has(state) && state !== "draft") throw new Error(`${id} ends as ${state}`)
      if (state === "published" && live.length === 0) throw new Error(`${id} is published and not live`)
      if ((state === "failed" || state === "draft") && live.length > forced)
        throw new Error(`${id} is ${state} and live`)
      if (kind !== "none" && state === "unconfirmed" && target.error?.class === undefined)
        throw new Error(`${id} is unconfirmed without a reason`)
      // What was forced may have been changed since it went out first.
      if (forced === 0 && live.some(({ version }) => version !== target.version))
        throw new Error(`${id} went out with words that were changed before`)
    }
    for (const post of new Set(targets.map(({ post }) => post))) {
      const states = targets.filter((target) => target.post === post).map(({ state }) => state)
      const expected = states.includes("draft")
        ? "draft"
        : states.includes("published")
          ? "published"
          : "failed"
      if (postStatus(states) !== expected)
        throw new Error(`${post} is ${postStatus(states)}: ${states.join(", ")}`)
    }
  }

  toTheEnd()
  check()
  if (time.now - begun > trouble + Duration.toMillis(latenessLimit) + 2 * minute * minute)
    throw new Error("it came to an end long after everything was too late")
  const states = targets.map(({ state }) => state)

  // In the end somebody decides about what is left.
  time.at(time.now + 2 * minute, () => targets.forEach(looksAt))
  toTheEnd()
  check()
  return {
    kind,
    states,
    publications: platform.publications.length,
    forced: targets.reduce((sum, { forced }) => sum + forced, 0),
    ...count
  }
}
