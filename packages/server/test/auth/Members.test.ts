import { Audit } from "@carillon/server/audit/Audit"
import { Members, type Origin, type Session } from "@carillon/server/auth/Members"
import { SignIns } from "@carillon/server/auth/SignIns"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { Workspaces } from "@carillon/server/workspaces/Workspaces"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, References, Schema, Tracer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { cheapHash, password } from "./CheapPassword.ts"

let made = 0

const newMember = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const name = `Member ${++made}`
  const id = SecureRandom.uuidV7Unsafe()
  const row = {
    id,
    name,
    role: "member",
    password_hash: cheapHash,
    created_at: DateTime.toDateUtc(yield* DateTime.now)
  }
  yield* sql`insert into members ${sql.insert(row)}`
  return { id, name, role: "member" as const }
})

const tries = Effect.fnUntraced(function* (
  name: string,
  from: Pick<Origin, "address"> & Partial<Origin>,
  given = "a wrong password"
) {
  const signIns = yield* SignIns
  return yield* signIns
    .withPassword(name, given, { device: undefined, userAgent: null, ...from })
    .pipe(Effect.catch((failure) => Effect.succeed(failure._tag)))
})

const signsIn = Effect.fnUntraced(function* (name: string, address: string, device?: string) {
  const session = yield* tries(name, { address, device }, password)
  if (typeof session === "string" || "ticket" in session)
    throw new Error(`${name} from ${address}: ${JSON.stringify(session)}`)
  return session
})

let networks = 0

const home = "203.0.113.1"
const elsewhere = "203.0.113.2"
const atHome = { address: home, userAgent: null, device: undefined }

/** From as many addresses. */
const fromEverywhere = (name: string, times = 51) => {
  const network = `198.18.${++networks}`
  return Effect.forEach(Array.from({ length: times }), (_, index) =>
    tries(name, { address: `${network}.${index}` })
  )
}

const confirms = (session: Session, given: string) =>
  Effect.flatMap(Members, (members) => members.confirm(session, given)).pipe(
    Effect.as("confirmed"),
    Effect.catch(({ _tag }) => Effect.succeed(_tag))
  )

/** On a clock of its own: nothing else lives through the days. */
const onDay = <A, E, R>(day: number, effect: Effect.Effect<A, E, R>) =>
  Effect.andThen(TestClock.setTime(day * 86_400_000), effect).pipe(
    Effect.provide(TestClock.layer(), { local: true })
  )

/** A second process with the same secret on the same database. */
const anotherProcess = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, Layer.fresh(ofMembers), { local: true })

const ofMembers = SignIns.layer.pipe(
  Layer.provideMerge(Members.layer),
  Layer.provide([Audit.layer, Workspaces.layer]),
  Layer.provide([Wakeup.layer, TestConfig.layer])
)

layer(Layer.provideMerge(ofMembers, TestSql.layer), { timeout: "180 seconds" })(
  "wrong passwords from 51 addresses",
  (it) => {
    it.effect("keep a stranger out, and not a browser that has signed in before", () =>
      Effect.gen(function* () {
        const { name } = yield* newMember
        const { device } = yield* signsIn(name, home)
        const refused = yield* fromEverywhere(name)
        assert.deepStrictEqual(refused.slice(-2), ["FormRefused", "Throttled"])
        assert.strictEqual(yield* tries(name, { address: home }, password), "Throttled")
        yield* signsIn(name, home, device)
        // From the address of one who guesses, and with the name in other letters.
        yield* signsIn(name.toUpperCase(), `198.18.${networks}.3`, device)
      }).pipe(quietly)
    )

    it.effect("count in all processes together, and each of them knows the browser", () =>
      Effect.gen(function* () {
        const { name } = yield* newMember
        const { device } = yield* anotherProcess(signsIn(name, home))
        yield* anotherProcess(fromEverywhere(name, 50))
        assert.strictEqual(yield* tries(name, { address: elsewhere }, password), "Throttled")
        yield* signsIn(name, home, device)
        for (let tried = 0; tried < 5; tried++) {
          yield* tries(name, { address: home, device })
          yield* anotherProcess(tries(name, { address: home, device }))
        }
        assert.strictEqual(yield* tries(name, { address: home, device }, password), "Throttled")
      }).pipe(quietly)
    )

    it.effect("keep nobody who is signed in from confirming or changing the password", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const { name } = yield* newMember
        const session = yield* signsIn(name, home)
        const other = yield* signsIn(name, home)
        yield* fromEverywhere(name)
        assert.strictEqual(yield* confirms(session, password), "confirmed")
        // A stolen session has a limit of its own, and takes nothing from the other.
        const guesses = yield* Effect.forEach(Array.from({ length: 11 }), () => confirms(other, "a guess"))
        assert.deepStrictEqual(guesses.slice(-2), ["FormRefused", "Throttled"])
        assert.strictEqual(yield* confirms(other, password), "Throttled")
        assert.strictEqual(yield* confirms(session, password), "confirmed")
        const renewed = yield* members.changePassword(session, password, "a better horse battery", atHome)
        assert.strictEqual(yield* confirms(renewed, "a better horse battery"), "confirmed")
      }).pipe(quietly)
    )

    it.effect("keep out the browser that another member uses, and one whose cookie is over", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const [mine, others] = [yield* newMember, yield* newMember]
        const { device } = yield* signsIn(mine.name, home)
        const foreign = (yield* signsIn(others.name, home)).device
        const [nonce, expires, proof] = device.split(".") as [string, string, string]
        yield* fromEverywhere(mine.name)
        const wrong = {
          "of another member": foreign,
          "with a longer life": `${nonce}.${Number(expires) + 1}.${proof}`,
          "with another number": `${foreign.split(".")[0]}.${expires}.${proof}`,
          "without a proof": `${nonce}.${expires}.`,
          empty: "",
          long: "x".repeat(100_000)
        }
        for (const [what, cookie] of Object.entries(wrong)) {
          const tried = yield* tries(mine.name, { address: home, device: cookie }, password)
          assert.strictEqual(tried, "Throttled", what)
        }
        yield* members.signOutEverywhere(mine)
        assert.strictEqual(yield* tries(mine.name, { address: home, device }, password), "Throttled")
        // Open again within the hour, and the next one lasts until a new password.
        yield* TestClock.adjust("61 minutes")
        const next = yield* signsIn(mine.name, home)
        yield* fromEverywhere(mine.name)
        yield* members.changePassword(next, password, "a better horse battery", atHome)
        const old = yield* tries(mine.name, { address: home, device: next.device }, "a better horse battery")
        assert.strictEqual(old, "Throttled")
      }).pipe(quietly)
    )

    it.effect("keep out a browser that signed in more than 90 days ago", () =>
      Effect.gen(function* () {
        const { name } = yield* newMember
        const { device } = yield* onDay(0, signsIn(name, home))
        yield* onDay(89.9, fromEverywhere(name))
        yield* onDay(89.9, signsIn(name, home, device))
        yield* onDay(90.1, fromEverywhere(name))
        assert.strictEqual(yield* onDay(90.1, tries(name, { address: home, device }, password)), "Throttled")
      }).pipe(quietly)
    )

    it.effect(
      "wrong passwords of which 280 come at once from 51 addresses cost no statement, and take no try from anybody",
      () =>
        Effect.gen(function* () {
          const members = yield* Members
          const signIns = yield* SignIns
          const { name } = yield* newMember
          const session = yield* signsIn(name, home)
          const network = `198.20.${++networks}`
          const floods: Record<string, (index: number) => Effect.Effect<unknown, { readonly _tag: string }>> =
            {
              "sign-ins": (index) =>
                signIns.withPassword(name, "a guess", { ...atHome, address: `${network}.${index}` }),
              "sign-ins of known browsers": (index) =>
                signIns.withPassword(name, "a guess", {
                  ...atHome,
                  address: `${network}.${index}`,
                  device: session.device
                }),
              "made-up links": (index) =>
                members.claim(
                  "made-up",
                  { name, password, timezone: null },
                  { ...atHome, address: `${network}.${index}` }
                ),
              "step-ups": () => members.confirm(session, "a guess")
            }
          for (const [what, one] of Object.entries(floods)) {
            const outcomes = yield* Effect.forEach(
              Array.from({ length: 300 }),
              (_, index) => {
                let statements = 0
                const counted = Tracer.make({
                  span: (options) => {
                    if (options.kind === "client") statements++
                    return new Tracer.NativeSpan(options)
                  }
                })
                return one(index).pipe(
                  Effect.flip,
                  Effect.provideService(Tracer.Tracer, counted),
                  Effect.map((failure) => ({ ...failure, index, statements: () => statements }))
                )
              },
              { concurrency: "unbounded" }
            )
            const idle = outcomes.filter(({ statements }) => statements() === 0)
            assert.lengthOf(idle, 280, what)
            for (const { _tag } of idle) assert.strictEqual(_tag, "Throttled", what)
          }
          yield* TestClock.adjust("61 minutes")
          yield* signsIn(name, `${network}.299`)
        }).pipe(quietly)
    )

    const Burst = Schema.Struct({
      with: Schema.Literals(["nothing", "a cookie", "a cookie", "a foreign cookie"]),
      addresses: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 })),
      times: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 })),
      minutes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
    })

    it.effect.prop(
      "wrong passwords from 51 addresses are few whatever the guessers bring: 50 an hour for strangers, ten a quarter for each cookie",
      [Schema.Array(Burst).check(Schema.isBetweenLength(2, 8))],
      ([bursts]) =>
        Effect.gen(function* () {
          const [{ name }, other] = [yield* newMember, yield* newMember]
          const cookies = [(yield* signsIn(name, home)).device, (yield* signsIn(name, home)).device]
          const foreign = (yield* signsIn(other.name, home)).device
          const checked = { nothing: 0, "a cookie": 0, "a foreign cookie": 0 }
          const network = `198.19.${++networks}`
          let minutes = 0
          for (const { with: kind, addresses, times, minutes: later } of bursts) {
            yield* Effect.forEach(
              Array.from({ length: times }),
              Effect.fnUntraced(function* (_, index) {
                const address = `${network}.${index % addresses}`
                const device = {
                  nothing: undefined,
                  "a cookie": cookies[index % 2],
                  "a foreign cookie": foreign
                }[kind]
                if ((yield* tries(name, { address, device })) === "FormRefused") checked[kind]++
              }),
              { concurrency: 5 }
            )
            const windows = (length: number) => Math.floor(minutes / length) + 1
            assert.isAtMost(checked.nothing + checked["a foreign cookie"], 50 * windows(60))
            assert.isAtMost(checked["a cookie"], 2 * 10 * windows(15))
            minutes += later
            yield* TestClock.adjust(later * 60_000)
          }
        }).pipe(quietly),
      { arbitrary: { runs: 10 } }
    )
  }
)

function quietly<A, E, R>(effect: Effect.Effect<A, E, R>) {
  return Effect.provideService(effect, References.MinimumLogLevel, "None")
}
