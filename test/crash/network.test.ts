import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, create } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { targetsOf, violations } from "./Invariants.ts"
import { type Scenario, makeScenario, type PlatformKind, platformKinds } from "./Scenario.ts"
import { type NetworkFault, networkFaults } from "./NetworkProxy.ts"
import { table } from "./Table.ts"
import { until } from "./Until.ts"

interface Plan {
  readonly kind: PlatformKind
  /** By the number of the call. */
  readonly faults: ReadonlyArray<readonly [call: number, fault: NetworkFault]>
}

const publish = Effect.fn("publish")(function* (scenario: Scenario, { kind, faults }: Plan, name: string) {
  const username = `${name}-${kind}`
  const account = yield* connect(username)
  scenario.network.script(username, new Map(faults))
  yield* create({
    social_accounts: [account],
    caption: `${kind}: ${faults.map(([call, fault]) => `${fault} at call ${call}`).join(", then ")}`,
    media: [scenario.media]
  })
  return { kind, faults, username }
})

/** The second call is the commit. These leave it in doubt: once it has had its effect, once it has not. */
const doubts: ReadonlyArray<Plan["faults"]> = [[], [[2, "lost_reply"]], [[2, "reset"]]]

it.live.skipIf(process.env["CRASH"] !== "all")(
  "publishes once whatever the network does to any call, and says so where nobody can know",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const scenario = yield* makeScenario("network")
      let count = 0
      const publishAll = Effect.fnUntraced(function* (plans: ReadonlyArray<Plan>) {
        const sent = yield* Effect.forEach(plans, (plan) => publish(scenario, plan, `network-${++count}`), {
          concurrency: 8
        }).pipe(Effect.provideService(Service, scenario.service))
        yield* until(
          "all posts are over",
          Effect.map(
            scenario.service.call("GET", "/v1/posts?status=scheduled&limit=1"),
            ({ body }) => body.meta.total === 0
          ),
          300
        )
        return sent.map((one) => ({ ...one, called: scenario.network.called(one.username) }))
      })

      const surveys = yield* publishAll(
        doubts.flatMap((faults) => platformKinds.map((kind): Plan => ({ kind, faults })))
      )
      const plans = surveys.flatMap(({ kind, faults, called }) =>
        called
          .map((_, index) => index + 1)
          .filter((call) => call > (faults.at(-1)?.[0] ?? 0))
          .flatMap((call) =>
            networkFaults.map((fault): Plan => ({ kind, faults: [...faults, [call, fault]] }))
          )
      )
      const done = [...surveys, ...(yield* publishAll(plans))]

      const targets = yield* targetsOf(scenario)
      const publications = yield* sandbox.publications()
      const lines = done.map(({ kind, faults, username, called }) => {
        const target = targets.find((one) => one.username === username)!
        const live = publications.filter(({ account }) => account === username).length
        const what = faults.map(([call, fault]) => `${fault} at ${call}: ${called[call - 1]}`).join(", then ")
        return { kind, what, called: called.length, live, status: target.state, attempts: target.attempts }
      })
      console.log(
        table(
          ["platform", "fault", "calls", "publications", "status", "attempts"],
          lines.map((line) => [line.kind, line.what, line.called, line.live, line.status, line.attempts])
        )
      )
      assert.deepStrictEqual(violations(targets, publications, yield* sandbox.requests()), [])
      const odd = lines.filter(
        ({ kind, status }) => status !== "published" && !(kind === "none" && status === "unconfirmed")
      )
      assert.deepStrictEqual(odd, [])
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  700_000
)
