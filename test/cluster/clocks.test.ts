import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { targetsOf, violations } from "../crash/Invariants.ts"
import { connect, create, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { stalled } from "@carillon/testing/Stalled"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { kind as databaseKind } from "@carillon/testing/TestSql"
import { makeCluster } from "./Cluster.ts"

const hour = 3_600_000
const smallestShift = 7000
const count = 150

const instant = (millis: number) => new Date(millis).toISOString()

it.live.skipIf(databaseKind !== "postgres")(
  "processes whose clocks are an hour ahead, an hour behind and jumping publish together, nothing early and nothing twice",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const directory = yield* TestDirectory.make
      const clocks = [hour, -hour, smallestShift].map((shift, index) => {
        const file = join(directory, `clock${index}`)
        const set = (millis: number) => writeFileSync(file, String(millis))
        set(shift)
        return { file, set }
      })
      const { database, services } = yield* makeCluster({
        services: clocks.map(({ file }) => ({
          CLOCK_SHIFT: file,
          NODE_OPTIONS: `--import ${join(import.meta.dirname, "shiftClock.ts")}`
        }))
      })
      const through = (index: number) => Effect.provideService(Service, services[index % services.length]!)
      const accounts = yield* Effect.forEach(
        Array.from({ length: count }, (_, index) => index),
        (index) => through(index)(connect(`clock${index}-none`)),
        { concurrency: 10 }
      )
      const start = (yield* Clock.currentTimeMillis) + 8000
      const posts = yield* Effect.forEach(
        accounts,
        Effect.fnUntraced(function* (account, index) {
          const asked = yield* Clock.currentTimeMillis
          const post = yield* create({
            social_accounts: [account],
            caption: `Post ${index}`,
            // A busy machine may create them more slowly than they are to be due.
            scheduled_at: instant(Math.max(start + index * 100, asked + 5000))
          }).pipe(through(index))
          const created = Date.parse(post.created_at)
          assert.isAtLeast(created, asked - 10_000)
          assert.isAtMost(created, (yield* Clock.currentTimeMillis) + 10_000)
          return post
        }),
        { concurrency: 10 }
      )
      const stalledMillis = yield* stalled

      // In the middle of it the third one's clock jumps, forth and back and away.
      for (const shift of [10 * 60_000, -10 * 60_000, 26 * hour, 0]) {
        yield* Effect.sleep(3000)
        clocks[2]!.set(shift)
      }
      yield* Effect.forEach(posts, ({ id }, index) => through(index)(settled(id)))

      const targets = yield* targetsOf({ service: services[0]!, database })
      const publications = yield* sandbox.publications()
      assert.deepStrictEqual(violations(targets, publications, yield* sandbox.requests()), [])
      assert.lengthOf(publications, count)
      const due = new Map(targets.map(({ id, due_at }) => [id, due_at.getTime()]))
      const late = publications.map(
        ({ client_reference, published_at }) => Date.parse(published_at) - due.get(client_reference!)!
      )
      console.log(`published from ${Math.min(...late)} to ${Math.max(...late)} ms after their time`)
      assert.isAtLeast(Math.min(...late), 0)
      // Whoever went by a wrong clock would be at least that late.
      assert.isBelow(Math.max(...late) - stalledMillis(), smallestShift)
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer))
)
