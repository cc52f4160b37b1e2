import { SandboxProcess } from "@carillon/sandbox/testing"
import { eventually } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Point } from "./Interceptor.ts"
import { targetsOf, violations } from "./Invariants.ts"
import { killAt, type KillPoint, nameOf } from "./KillPoint.ts"
import { makeScenario, platformKinds, type Scenario } from "./Scenario.ts"

/** The steps of the item with this number, from 1. */
const stepsOf = (item: number): ReadonlyArray<Point> => [
  { step: `write commits, targets #${item}`, position: "before" },
  { step: `write commits, targets #${item}`, position: "done" },
  { step: `POST /api/posts #${item}`, position: "done" },
  // The first transaction is that of the create.
  { step: `commit #${item + 1}`, position: "done" }
]

const all = [1, 2, 3].flatMap((item) =>
  stepsOf(item).map((point, index): KillPoint => ({
    kind: platformKinds[(item + index) % platformKinds.length]!,
    thread: true,
    points: [point]
  }))
)
/** Before the call of the first item, after that of the second, after the third is recorded. */
const some = [1, 6, 11].map((index) => all[index]!)
const killPoints = process.env["CRASH"] === "all" ? all : some
const services = killPoints.length / 3

/** If nobody can know what became of an item, a person looks, says what they see, and lets the thread continue. */
const decided = Effect.fnUntraced(function* ({ account, service }: Scenario, post: string) {
  const sandbox = yield* SandboxProcess
  const { body } = yield* service.call("GET", `/v1/posts/${post}`)
  const [result] = body.results
  if (result.status !== "unconfirmed") return
  const { username } = account("none")
  const live = (yield* sandbox.publications(username)).filter(({ client_reference }) =>
    client_reference?.startsWith(result.id)
  )
  const item = live[result.items.findIndex(({ status }: any) => status === "unconfirmed")]
  const url = item && `${sandbox.url}/posts/${item.id}`
  yield* service.call("POST", `/v1/post-results/${result.id}/confirm`, {
    published: item !== undefined,
    ...(url && { url })
  })
  yield* service.call("POST", `/v1/posts/${post}/retry`, {})
  yield* eventually(post, ({ results }) => results[0].status === "published" && !results[0].failed_items)
})

/** Kills one service at some of the points; returns what broke the promises of a thread. */
const run = Effect.fnUntraced(function* (name: string, points: ReadonlyArray<KillPoint>) {
  const scenario = yield* makeScenario(name)
  const sandbox = yield* SandboxProcess
  const ends = yield* Effect.forEach(
    points,
    Effect.fnUntraced(function* (point) {
      const { post, reached } = yield* killAt(scenario, point)
      yield* Effect.provideService(decided(scenario, post), Service, scenario.service)
      const { body } = yield* scenario.service.call("GET", `/v1/posts/${post}`)
      return { point, reached, result: body.results[0] }
    })
  )
  // On the embedded database this ends the service.
  const targets = yield* targetsOf(scenario)
  const isMine = ({ account }: { readonly account: string | null }) =>
    account?.startsWith(`${name}-`) === true
  const publications = (yield* sandbox.publications()).filter(isMine)
  const requests = (yield* sandbox.requests()).filter(isMine)
  const missed = ends.flatMap(({ point, reached, result }) => {
    const live = publications.filter(({ client_reference }) => client_reference?.startsWith(result.id))
    const broken = (what: string, found: unknown, wanted: unknown) =>
      JSON.stringify(found) === JSON.stringify(wanted)
        ? []
        : [`${nameOf(point)}: ${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`]
    return [
      ...broken("was reached", reached, true),
      ...broken(
        "is live",
        live.map(({ client_reference }) => client_reference),
        ["", "-1", "-2"].map((suffix) => `${result.id}${suffix}`)
      ),
      ...broken(
        "is told",
        result.items.map((item: any) => item.platform_data?.url?.split("/").at(-1)),
        live.map(({ id }) => id)
      )
    ]
  })
  return [...violations(targets, publications, requests), ...missed]
})

it.live(
  "a thread goes on after its last live item, once and in order, wherever the service is killed",
  () =>
    Effect.gen(function* () {
      const broken = yield* Effect.forEach(
        Array.from({ length: services }, (_, index) => index),
        (index) =>
          run(
            `threads${index}`,
            killPoints.filter((_, at) => at % services === index)
          ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(broken.flat(), [])
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  1_800_000
)
