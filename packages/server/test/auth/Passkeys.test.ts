import { AppConfig } from "@carillon/server/AppConfig"
import { Audit } from "@carillon/server/audit/Audit"
import type { Member } from "@carillon/server/auth/MemberRepository"
import { Members } from "@carillon/server/auth/Members"
import { Passkeys } from "@carillon/server/auth/Passkeys"
import { SignIns } from "@carillon/server/auth/SignIns"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { Workspaces } from "@carillon/server/workspaces/Workspaces"
import { type Lies, PasskeyDevice } from "@carillon/testing/PasskeyDevice"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Logger, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { cheapHash, password } from "./CheapPassword.ts"

const origin = "https://carillon.example"
const from = { address: "203.0.113.1", userAgent: null, device: undefined }

let made = 0

/** A member with a passkey, and the device that has it. */
const memberWithPasskey = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const passkeys = yield* Passkeys
  const member: Member = { id: SecureRandom.uuidV7Unsafe(), name: `Holder ${++made}`, role: "member" }
  const row = { ...member, password_hash: cheapHash, created_at: DateTime.toDateUtc(yield* DateTime.now) }
  yield* sql`insert into members ${sql.insert(row)}`
  const device = new PasskeyDevice(origin)
  const credential = device.create(yield* passkeys.creation(member, "a session"))
  const { id } = yield* passkeys.add(member, "a session", { name: "Phone", credential })
  return { member, device, id }
})

const tries = Effect.fnUntraced(function* (credential: string, browser = "a browser") {
  return yield* (yield* SignIns).withPasskey(browser, credential, from).pipe(
    Effect.map(({ member }) => member.name),
    Effect.catch(({ _tag }) => Effect.succeed(_tag))
  )
})

const signs = Effect.fnUntraced(function* (device: PasskeyDevice, lies?: Lies, browser?: string) {
  const options = yield* (yield* Passkeys).request("a browser")
  return yield* tries(device.get(options, lies), browser)
})

const services = SignIns.layer.pipe(
  Layer.provideMerge(Members.layer),
  Layer.provideMerge([Audit.layer, Workspaces.layer]),
  Layer.provideMerge([Wakeup.layer, TestConfig.layer]),
  Layer.provideMerge(TestSql.layer)
)

layer(services, { timeout: "120 seconds" })("a passkey", (it) => {
  it.effect("signs in by itself, and shows when it last did", () =>
    Effect.gen(function* () {
      const { device, member } = yield* memberWithPasskey
      const passkeys = yield* Passkeys
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* signs(device), member.name)
      const [one] = yield* passkeys.list(member)
      assert.deepInclude(one, { name: "Phone", works_here: true })
      assert.deepStrictEqual(one!.last_used_at, yield* DateTime.now)
      assert.isTrue(yield* passkeys.areUsed)
    }).pipe(quietly)
  )

  it.effect("signs in nobody with an answer that was changed, made up, or asked for elsewhere", () =>
    Effect.gen(function* () {
      const { device, member } = yield* memberWithPasskey
      const other = yield* memberWithPasskey
      const wrong: Record<string, Lies> = {
        "of another site": { origin: "https://carillon.example.evil.example" },
        "without TLS": { origin: "http://carillon.example" },
        "for another name": { rpId: "evil.example" },
        "without the person's proof": { unverified: true },
        "to a challenge of its own": { challenge: Buffer.from("made up").toString("base64url") },
        "with the signature of another key": { forged: true },
        "of the kind that makes passkeys": { type: "webauthn.create" },
        "in the name of another member": { userHandle: Buffer.from(other.member.id).toString("base64url") }
      }
      for (const [what, lies] of Object.entries(wrong)) {
        assert.strictEqual(yield* signs(device, lies), "PasskeyRefused", what)
      }
      assert.strictEqual(yield* signs(new PasskeyDevice(origin)), "PasskeyRefused")
      for (const text of ["", "{}", "null", "[]", "x".repeat(60_000), `{"id":"${device.id}"}`]) {
        assert.strictEqual(yield* tries(text), "PasskeyRefused", text.slice(0, 20))
      }
      assert.strictEqual(yield* signs(device), member.name)
    }).pipe(quietly)
  )

  it.effect("answers a challenge once, within five minutes, in the browser that asked", () =>
    Effect.gen(function* () {
      const { device, member } = yield* memberWithPasskey
      const passkeys = yield* Passkeys
      assert.strictEqual(yield* signs(device, {}, "another browser"), "PasskeyRefused")
      const answer = device.get(yield* passkeys.request("a browser"))
      const outcomes = yield* Effect.all(
        Array.from({ length: 8 }, () => tries(answer)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.toSorted(), [member.name, ...Array(7).fill("PasskeyRefused")])
      assert.strictEqual(yield* tries(answer), "PasskeyRefused")
      const options = yield* passkeys.request("a browser")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* tries(device.get(options)), "PasskeyRefused")
      assert.strictEqual(yield* signs(device), member.name)
      // A copy of the device counts from where it was copied.
      assert.strictEqual(yield* signs(device, { count: 1 }), "PasskeyRefused")
    }).pipe(quietly)
  )

  it.effect("stores nothing for strangers who ask for challenges and make up answers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { device } = yield* memberWithPasskey
      const rows = sql`select bucket from throttles union all select id::text from audit_entries`
      const before = yield* rows
      for (let tried = 0; tried < 20; tried++) yield* signs(device, { forged: true })
      assert.deepStrictEqual(yield* rows, before)
    }).pipe(quietly)
  )

  it.effect("confirms in the session of its member, and of nobody else", () =>
    Effect.gen(function* () {
      const { device, member } = yield* memberWithPasskey
      const other = yield* memberWithPasskey
      const members = yield* Members
      const passkeys = yield* Passkeys
      const session = yield* members.begin(member, from)
      yield* TestClock.adjust("20 minutes")
      assert.isFalse(yield* members.passwordGiven(session.token))
      const foreign = other.device.get(yield* passkeys.request(session.token))
      assert.strictEqual(
        (yield* Effect.flip(members.confirmWithPasskey(session, foreign)))._tag,
        "PasskeyRefused"
      )
      const elsewhere = device.get(yield* passkeys.request("a browser"))
      assert.strictEqual(
        (yield* Effect.flip(members.confirmWithPasskey(session, elsewhere)))._tag,
        "PasskeyRefused"
      )
      assert.isFalse(yield* members.passwordGiven(session.token))
      yield* members.confirmWithPasskey(session, device.get(yield* passkeys.request(session.token)))
      assert.isTrue(yield* members.passwordGiven(session.token))
    }).pipe(quietly)
  )

  it.effect(
    "is added once, by its member's own session, at most twenty times, and not after its removal",
    () =>
      Effect.gen(function* () {
        const { device, id, member } = yield* memberWithPasskey
        const other = yield* memberWithPasskey
        const passkeys = yield* Passkeys
        const adds = (to: Member, with_: PasskeyDevice, holder = "a session", lies: Lies = {}) =>
          Effect.gen(function* () {
            const credential = with_.create(yield* passkeys.creation(to, "a session"), lies)
            yield* passkeys.add(to, holder, { name: "One more", credential })
            return "added"
          }).pipe(Effect.catch(({ message }) => Effect.succeed(message)))
        assert.include(yield* adds(other.member, device), "known already")
        assert.include(yield* adds(member, new PasskeyDevice(origin), "another session"), "not accepted")
        assert.include(yield* adds(member, new PasskeyDevice("https://evil.example")), "not accepted")
        assert.include(
          yield* adds(member, new PasskeyDevice(origin), "a session", { unverified: true }),
          "not accepted"
        )
        for (let count = 1; count < 20; count++) {
          assert.strictEqual(yield* adds(member, new PasskeyDevice(origin)), "added")
        }
        assert.include(yield* adds(member, new PasskeyDevice(origin)), "Remove one first")
        const removed = yield* passkeys.remove(other.member, id)
        assert.strictEqual(removed._tag, "None")
        yield* passkeys.remove(member, id)
        assert.strictEqual(yield* signs(device), "PasskeyRefused")
      }).pipe(quietly)
  )

  it.effect("works with no other PUBLIC_URL: the start says how many stop, and the password signs in", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from passkeys`
      const { device, member } = yield* memberWithPasskey
      yield* memberWithPasskey
      const config = yield* AppConfig
      for (const [publicUrl, reason] of [
        ["https://new.example", null],
        ["http://carillon.example", /^Passkeys need https/],
        ["https://203.0.113.7", /^Passkeys need an address with a name/],
        ["http://[fd00::2]:4400", /^Passkeys need an address with a name/]
      ] as const) {
        const said: Array<string> = []
        const listening = Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
        yield* Effect.gen(function* () {
          const passkeys = yield* Passkeys
          assert.deepStrictEqual(said, [
            `2 passkeys of carillon.example cannot be used with PUBLIC_URL=${publicUrl}. Their members sign in with the password, and can add new ones there.`
          ])
          if (reason === null) assert.isNull(passkeys.unavailable)
          else assert.match(passkeys.unavailable!, reason)
          assert.isFalse(yield* passkeys.areUsed)
          assert.isFalse((yield* passkeys.list(member))[0]!.works_here)
          assert.strictEqual(yield* signs(device), "PasskeyRefused")
          const begun = yield* (yield* SignIns).withPassword(member.name, password, from)
          assert.property(begun, "device")
        }).pipe(
          Effect.provide(
            Layer.fresh(
              SignIns.layer.pipe(
                Layer.provideMerge(Members.layer),
                Layer.provide([Audit.layer, Workspaces.layer]),
                Layer.provideMerge(Layer.succeed(AppConfig, { ...config, publicUrl }))
              )
            ).pipe(Layer.provide(listening)),
            { local: true }
          )
        )
      }
    })
  )
})

function quietly<A, E, R>(effect: Effect.Effect<A, E, R>) {
  return Effect.provideService(effect, References.MinimumLogLevel, "None")
}
