import { postStatus, statesBefore, terminalStates } from "@carillon/domain"
import { commitKey } from "@carillon/server/engine/ClaimedTarget"
import { Duration } from "effect"
import { SeededRandom } from "../../../../../test/contract/SeededRandom.ts"
import { dataOf, type Kind, ModelPlatform, type Publication } from "./ModelPlatform.ts"
import { latenessLimit, type ModelAccount, ModelStore, type ModelTarget, remoteIdOf } from "./ModelStore.ts"
import { SimulatedProcess, type World } from "./SimulatedProcess.ts"
import { SimulatedTime } from "./SimulatedTime.ts"

const minute = 60_000
const mostSteps = 100_000

/** What a history came to, for counting. */
export interface Told {
  readonly kind: Kind
  readonly byWords: boolean
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
  /** Live items of threads after their first. */
  readonly followers: number
  /** Threads that broke off and went on. */
  readonly continued: number
}

/** How many items are known to be live: the next one of a thread may be in doubt, or the single post. */
const knownOf = ({ itemCount, items, state }: ModelTarget) =>
  itemCount !== null ? items.length : state === "published" ? 1 : 0

/** Throws where a promise of the engine is broken. Everything about it follows from its seed. */
export const runHistory = (seed: number): Told => {
  const random = new SeededRandom(seed)
  const time = new SimulatedTime(Date.parse("2026-11-21T12:00:00Z"))
  const kind = random.pick<Kind>(["replay", "lookup", "none"])
  const byWords = kind === "lookup" && random.chance(0.6)
  const platform = new ModelPlatform(time, random, kind, byWords)
  const accounts = Array.from({ length: 1 + random.below(2) }, (_, index): ModelAccount => ({
    id: index + 1,
    status: "connected",
    pausedUntil: null
  }))
  const begun = time.now
  const atOnce = !byWords && random.chance(0.2)
  // Unless they are edited all posts say the same.
  const targets = Array.from({ length: 1 + random.below(byWords ? 3 : 2) }, (_, post) => {
    const due = begun + random.below(byWords ? minute : 3 * minute)
    const itemCount = random.chance(0.5) ? 2 + random.below(3) : null
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
      itemCount,
      items: [],
      remoteId: null,
      version: 0,
      forced: Array.from({ length: itemCount ?? 1 }, () => 0),
      since: begun
    }))
  }).flat()

  const count = { deaths: 0, stalls: 0, unseen: 0, takeovers: 0, edits: 0, steps: 0, continued: 0 }
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
    byWords,
    atOnce,
    store,
    platform,
    fate: () => {
      const at = troubled ? random.next() : 1
      if (at < 0.02) count.deaths++
      else if (at < 0.03) count.stalls++
      else if (at < 0.05) count.unseen++
      return at < 0.02 ? "dies" : at < 0.03 ? "stalls" : at < 0.05 ? "unseen" : "goes_on"
    },
    committing: (target, fence, item) => {
      const call = `${target} under fence ${fence}`
      if (commits.has(call)) throw new Error(`a second commit of ${call}`)
      commits.add(call)
      const { due, fence: present, items } = store.get(target)
      if (present !== fence) return
      if (time.now < due) throw new Error(`a commit of ${target} ${due - time.now} ms before it is due`)
      if (item !== items.length)
        throw new Error(`a commit of item ${item} of ${target}, of which ${items.length} are live`)
    },
    died: () => time.at(time.now + random.below(minute), start),
    looksChanged: () => time.at(time.now + random.below(1000), lookAgain)
  }
  for (let left = 1 + random.below(3); left > 0; left--) start()

  /** What says the same in the same place and is no other target's. */
  const unclaimed = (target: ModelTarget) => {
    const { account, items, version } = target
    const item = items.length
    const alike = platform.publications.filter(
      (one) =>
        one.account === remoteIdOf(account) &&
        one.item === item &&
        one.version === version &&
        one.parent === (items.at(-1)?.id ?? null)
    )
    const owner = {
      platform: "sandbox",
      account: remoteIdOf(account),
      owner: commitKey(target, item)
    } as const
    const others = store.ofOthers(
      owner,
      alike.map(({ id }) => id)
    )
    return alike.filter(({ id }) => !others.has(id))
  }

  /** A person looks only when the platform has done whatever it still might. */
  const looksAt = (target: ModelTarget) => {
    if (target.state !== "unconfirmed" || time.now - target.since < minute) return
    const { id, itemCount, items, forced } = target
    const item = items.length
    const seen = byWords ? unclaimed(target) : platform.of(id, item)
    if (random.chance(0.3)) {
      if (!store.restart(target, "force_retry", time.now)) return
      for (let each = item; each < (atOnce ? forced.length : item + 1); each++) forced[each]!++
    } else if (seen.length > 0) {
      store.change(target, "confirm_published", null)
      // A person who sees it several times gives the address of one of them.
      const { account, id: remote_id } = random.pick(seen)
      store.own(account, remote_id, commitKey(target, item))
      if (itemCount === null) target.remoteId = remote_id
      else target.items = atOnce ? forced.map(() => null) : [...items, dataOf(remote_id)]
    } else store.change(target, item === 0 ? "confirm_not_published" : "confirm_broken", null)
  }
  /** As a person does by "retry": what failed begins anew, what broke off goes on. */
  const retry = (target: ModelTarget) => {
    const { state, itemCount, items } = target
    const broken = state === "published" && itemCount !== null && items.length < itemCount
    if (store.restart(target, broken ? "continue" : "retry", time.now) && broken) count.continued++
  }
  const edit = (target: ModelTarget) => {
    const ofPost = targets.filter(({ post }) => post === target.post)
    if (!ofPost.every(({ state, items }) => statesBefore("enqueue").includes(state) && items.length === 0))
      return
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
    () => retry(random.pick(targets)),
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

  /** Each item answers the one that was live before it. */
  const checkPlace = ({ id, items }: ModelTarget, item: number, { parent, key }: Publication) => {
    const before = item === 0 ? [] : platform.of(id, item - 1)
    const right =
      item === 0
        ? parent === null
        : atOnce
          ? before.some((one) => one.id === parent && one.key === key)
          : parent === items[item - 1]?.id
    if (!right) throw new Error(`item ${item} of ${id} answers ${parent}`)
    const first = (of: number) =>
      platform.publications.findIndex((one) => one.target === id && one.item === of)
    if (!byWords && item > 0 && first(item - 1) > first(item))
      throw new Error(`item ${item} of ${id} was there first`)
  }

  /** As many as there are targets, and each with a post of its own. */
  const checkAlike = () => {
    const ids = targets.flatMap(({ account, items, remoteId }) =>
      [...items.map((item) => item?.id ?? null), remoteId].flatMap((id) =>
        id === null ? [] : [`${remoteIdOf(account)} ${id}`]
      )
    )
    if (new Set(ids).size < ids.length) throw new Error(`a post is on two targets: ${ids.join(", ")}`)
    const there = new Set(platform.publications.map(({ account, id }) => `${account} ${id}`))
    for (const id of ids) if (!there.has(id)) throw new Error(`there is no post ${id}`)
    for (const { id: account } of accounts) {
      const ofAccount = targets.filter((target) => target.account === account)
      for (let item = 0; item < 4; item++) {
        const live = platform.publications.filter(
          (one) => one.account === remoteIdOf(account) && one.item === item
        ).length
        const sum = (of: (target: ModelTarget, known: number) => number) =>
          ofAccount.reduce((total, target) => total + of(target, knownOf(target)), 0)
        const known = sum((_, live) => Number(item < live))
        const doubted = sum(({ state }, live) => Number(state === "unconfirmed" && item === live))
        const again = sum(({ forced }) => forced[item] ?? 0)
        if (live < known || live > known + doubted + again)
          throw new Error(
            `item ${item} on account ${account} is live ${live} times: ${known} known, ${doubted} in doubt, ${again} forced`
          )
      }
    }
  }

  const check = () => {
    if (byWords) checkAlike()
    for (const target of targets) {
      const { id, state, items, forced } = target
      if (!terminalStates.has(state) && state !== "draft") throw new Error(`${id} ends as ${state}`)
      if (kind !== "none" && state === "unconfirmed" && target.error?.class === undefined)
        throw new Error(`${id} is unconfirmed without a reason`)
      const known = knownOf(target)
      forced.forEach((again, item) => {
        const live = platform.of(id, item)
        const name = `item ${item} of ${id}, which is ${state} with ${known} live,`
        for (const one of live) checkPlace(target, item, one)
        // Which of those that say the same is whose, nobody can tell.
        if (byWords) return
        // What was forced may have been changed since it went out first.
        if (again === 0 && live.some(({ version }) => version !== target.version))
          throw new Error(`${name} went out with words that were changed before`)
        if (live.length > 1 + again)
          throw new Error(`${name} is live ${live.length} times, forced ${again} times`)
        if (item < known && live.length === 0) throw new Error(`${name} is not live`)
        const doubted = state === "unconfirmed" && (atOnce || item === known)
        if (item >= known && !doubted && live.length > again) throw new Error(`${name} is live`)
      })
      const begun = items.length > 0
      if (begun ? state === "failed" : state === "published" && target.itemCount !== null)
        throw new Error(`${id} is ${state} with ${items.length} live items`)
    }
    for (const post of new Set(targets.map(({ post }) => post))) {
      const ofPost = targets.filter((target) => target.post === post)
      const states = ofPost.map(({ state }) => state)
      const begun = ofPost.some(({ items }) => items.length > 0)
      const expected = states.includes("draft")
        ? "draft"
        : begun || states.includes("published")
          ? "published"
          : "failed"
      if (postStatus(states, begun) !== expected)
        throw new Error(`${post} is ${postStatus(states, begun)}: ${states.join(", ")}`)
    }
  }

  toTheEnd()
  check()
  if (time.now - begun > trouble + Duration.toMillis(latenessLimit) + 2 * minute * minute)
    throw new Error("it came to an end long after everything was too late")
  const states = targets.map(({ state }) => state)

  // In the end somebody decides about what is left, and lets threads continue; now nothing goes wrong any more.
  time.at(time.now + 2 * minute, () => targets.forEach(looksAt))
  toTheEnd()
  check()
  for (const account of accounts) store.resume(account.id, "connected")
  time.at(time.now + 2 * minute, () => targets.filter(({ items }) => items.length > 0).forEach(retry))
  toTheEnd()
  check()
  for (const { id, state, itemCount, items } of targets)
    if (state === "published" && itemCount !== null && items.length < itemCount)
      throw new Error(`${id} did not go on after item ${items.length - 1}`)
  return {
    kind,
    byWords,
    states,
    publications: platform.publications.length,
    forced: targets.flatMap(({ forced }) => forced).reduce((sum, times) => sum + times, 0),
    followers: platform.publications.filter(({ item }) => item > 0).length,
    ...count
  }
}
