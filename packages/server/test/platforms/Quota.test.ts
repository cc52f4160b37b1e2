import { AppConfig } from "@carillon/server/AppConfig"
import { projectOf, Quota, quotaReset } from "@carillon/server/platforms/youtube/Quota"
import { assert, describe, it as test, layer } from "@effect/vitest"
import { Clock, DateTime, Effect, Layer } from "effect"
import * as TestSql from "@carillon/testing/TestSql"

const Limited = Quota.layer.pipe(
  Layer.provideMerge(
    Layer.effect(
      AppConfig,
      Effect.map(AppConfig, (config) => ({ ...config, youtubeQuota: { uploads: 3, units: 100 } }))
    ).pipe(Layer.provide(AppConfig.layer))
  ),
  Layer.provideMerge(TestSql.layer)
)

layer(Limited, { excludeTestServices: true })("the quota of a Google project", (it) => {
  it.effect("the quota of a Google project is counted whoever asks, and ends at midnight Pacific Time", () =>
    Effect.gen(function* () {
      const quota = yield* Quota
      const uploads = quota.take("1234", "uploads", 1)
      const take = at("2026-11-21T23:00:00Z", uploads)
      const results = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => Effect.result(take), {
        concurrency: "unbounded"
      })
      assert.lengthOf(
        results.filter(({ _tag }) => _tag === "Success"),
        3
      )
      const error = yield* Effect.flip(take)
      assert.deepInclude(error, { class: "quota_exhausted", code: "daily_quota" })
      assert.strictEqual(DateTime.formatIso(error.retry_at!), "2026-11-22T08:00:00.000Z")

      yield* at("2026-11-21T23:00:00Z", quota.take("another", "uploads", 1))
      yield* at("2026-11-21T23:00:00Z", quota.take("1234", "units", 100))

      yield* Effect.flip(at("2026-11-22T07:59:59Z", uploads))
      yield* at("2026-11-22T08:00:00Z", uploads)
    })
  )

  it.effect("never lets a call through that costs more than the day has", () =>
    Effect.gen(function* () {
      const quota = yield* Quota
      yield* Effect.flip(quota.take("dear", "units", 101))
      yield* quota.take("dear", "units", 100)
    })
  )
})

/** The database below keeps its own time. */
const at = <A, E, R>(now: string, effect: Effect.Effect<A, E, R>) =>
  Clock.clockWith((clock) =>
    Effect.provideService(
      effect,
      Clock.Clock,
      Object.assign(Object.create(clock) as typeof clock, {
        currentTimeMillisUnsafe: () => Date.parse(now),
        currentTimeMillis: Effect.succeed(Date.parse(now))
      })
    )
  )

describe("the Pacific day", () => {
  test.each([
    ["2026-03-08T07:59:00Z", "2026-03-08T08:00:00.000Z"],
    // Clocks go forward on that day, and back on 1 November.
    ["2026-03-08T08:00:00Z", "2026-03-09T07:00:00.000Z"],
    ["2026-11-01T07:00:00Z", "2026-11-02T08:00:00.000Z"]
  ])("the Pacific day of %s ends at %s", (now, end) => {
    assert.strictEqual(DateTime.formatIso(quotaReset(DateTime.makeUnsafe(now))), end)
  })

  test("belongs to the project, whichever of its clients asks", () => {
    assert.strictEqual(projectOf("1234-web.apps.googleusercontent.com"), "1234")
    assert.strictEqual(projectOf("1234-other.apps.googleusercontent.com"), "1234")
    assert.strictEqual(projectOf("sandbox"), "sandbox")
  })
})
