import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber } from "effect"
import { SeededRandom } from "../contract/SeededRandom.ts"
import { targetsOf, violations } from "../crash/Invariants.ts"
import { type NetworkFault, networkFaults } from "../crash/NetworkProxy.ts"
import { connect, create, inSeconds } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { kind as databaseKind } from "@carillon/testing/TestSql"
import { makeCluster } from "./Cluster.ts"

const size = Number(process.env["CLUSTER_TARGETS"] ?? 5000)
const accountsWanted = 200
const accountsPerPost = 5
/** The targets that become due in a second. */
const rate = Number(process.env["CLUSTER_RATE"] ?? 160)
const seed = Number(process.env["CLUSTER_SEED"] ?? Date.now() % 1_000_000)
const killEvery = 2000
const posts = size / accountsPerPost
const isThread = (post: number) => post % 25 === 0
const duration = (size / rate) * 1000
/** Creating them in order begins this long before the first due time. */
const lead = 10_000
/** A doubt takes a minute or two to end. However slow the machine is, some post is over in this time. */
const standstill = 180_000

it.live.skipIf(databaseKind !== "postgres")(
  `${size} targets of ${accountsWanted} accounts go out once each from three processes, one of them killed every two ` +
    "seconds, through a network that fails every fiftieth call, and over a crash of PostgreSQL",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const random = new SeededRandom(seed)
      const faults = new Map<NetworkFault, number>()
      let failing = false
      const { postgres, database, services, killOne } = yield* makeCluster({
        services: [{}, {}, {}],
        chance: () => {
          if (!failing || !random.chance(0.02)) return undefined
          const fault = random.pick(networkFaults)
          faults.set(fault, (faults.get(fault) ?? 0) + 1)
          return fault
        }
      })
      const through = (index: number) => Effect.provideService(Service, services[index % services.length]!)

      // A doubt is ended on both: one sends the same again, one is asked.
      const accounts = yield* Effect.forEach(
        Array.from({ length: accountsWanted }, (_, index) => index),
        (index) => connect(`cluster${index}-${index % 2 === 0 ? "key" : "lookup"}`).pipe(through(index)),
        { concurrency: 10 }
      )
      failing = true
      const start = (yield* Clock.currentTimeMillis) + lead
      yield* Effect.forEach(
        Array.from({ length: posts }, (_, index) => index),
        (index) => {
          const first = (index * accountsPerPost) % accountsWanted
          const planned = new Date(start + Math.floor((index * duration) / posts)).toISOString()
          // A busy machine may create them more slowly than that.
          const soon = inSeconds(5)
          return create({
            social_accounts: accounts.slice(first, first + accountsPerPost),
            caption: `Post ${index}`,
            ...(isThread(index) ? { thread: ["Second", "Third"] } : {}),
            scheduled_at: planned > soon ? planned : soon
          }).pipe(through(index))
        },
        { concurrency: 10, discard: true }
      )

      let kills = 0
      const killing = yield* Effect.forkChild(
        Effect.gen(function* () {
          while (true) {
            yield* Effect.sleep(killEvery)
            // A machine that starts a process more slowly than that is not left without any.
            if (killOne()) kills++
          }
        })
      )
      const now = Clock.currentTimeMillis
      yield* Effect.sleep(start + duration / 2 - (yield* now))
      yield* postgres.stop("immediate")
      yield* postgres.start
      yield* Effect.sleep(start + duration - (yield* now))
      yield* Fiber.interrupt(killing)
      let [seen, since] = ["", yield* now]
      while (true) {
        const answer = yield* Effect.exit(services[0]!.call("GET", "/v1/posts?status=scheduled&limit=1"))
        const open = Exit.isSuccess(answer) ? answer.value.body.meta?.total : undefined
        if (open === 0) break
        // The list counts up to a bound only.
        const found = `${open} posts are not over, of ${(yield* sandbox.publications()).length} publications`
        if (found !== seen) [seen, since] = [found, yield* now]
        else if ((yield* now) - since > standstill) assert.fail(`${found}, and nothing changes`)
        yield* Effect.sleep(1000)
      }
      const ended = yield* now

      const targets = yield* targetsOf({ service: services[0]!, database })
      const publications = yield* sandbox.publications()
      const due = new Map(targets.map(({ id, due_at }) => [id, due_at.getTime()]))
      const late = publications
        .map(
          ({ client_reference, published_at }) =>
            Date.parse(published_at) - due.get(client_reference!.slice(0, 36))!
        )
        .toSorted((one, other) => one - other)
      const quantile = (q: number) => late[Math.min(late.length - 1, Math.floor(q * late.length))]
      console.log(
        `seed ${seed}: ${targets.length} targets due in ${duration / 1000} s, all over ${Math.round((ended - start - duration) / 1000)} s ` +
          `after the last was due; ${kills} kills; ${publications.length} publications; ` +
          `${late.filter((ms) => ms < 1000).length} less than a second late, p50 ${quantile(0.5)} p95 ${quantile(0.95)} ` +
          `p99 ${quantile(0.99)} max ${quantile(1)} ms; ` +
          `faults: ${[...faults].map(([fault, count]) => `${fault} ${count}`).join(", ")}`
      )
      assert.deepStrictEqual(violations(targets, publications, yield* sandbox.requests()), [])
      assert.lengthOf(targets, size)
      assert.lengthOf(publications, size + 2 * targets.filter(({ item_count }) => item_count !== null).length)
      assert.deepStrictEqual(
        targets.filter(({ state }) => state !== "published"),
        []
      )
      assert.isAtLeast(quantile(0)!, 0, "one was published before it was due")
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  3_600_000
)
