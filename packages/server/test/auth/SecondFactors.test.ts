import { Audit } from "@carillon/server/audit/Audit"
import type { Member } from "@carillon/server/auth/MemberRepository"
import { Members, type Origin } from "@carillon/server/auth/Members"
import { SecondFactors } from "@carillon/server/auth/SecondFactors"
import { type AwaitsCode, SignIns } from "@carillon/server/auth/SignIns"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { Workspaces } from "@carillon/server/workspaces/Workspaces"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { totpCode } from "@carillon/testing/totpCode"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { cheapHash, password } from "./CheapPassword.ts"

let made = 0

/** Each member is at home elsewhere: refusals count by address. */
const from = ({ name }: Pick<Member, "name">) => ({
  address: `203.0.113.${name.split(" ")[1]}`,
  userAgent: null,
  device: undefined
})

/** What the member's app shows, so many steps from now. */
const codeOf = (secret: string, steps = 0) =>
  Effect.map(DateTime.now, (now) => totpCode(secret, DateTime.toEpochMillis(now) + steps * 30_000))

/** A member with an app. The code that confirmed it was of the step before the present one. */
const memberWithApp = Effect.gen(function* () {
  // No app knows the time before 1970.
  if (DateTime.toEpochMillis(yield* DateTime.now) < 60_000) yield* TestClock.adjust("1 minute")
  const sql = yield* SqlClient.SqlClient
  const secondFactors = yield* SecondFactors
  const member = { id: SecureRandom.uuidV7Unsafe(), name: `Person ${++made}`, role: "member" } as const
  const row = { ...member, password_hash: cheapHash, created_at: DateTime.toDateUtc(yield* DateTime.now) }
  yield* sql`insert into members ${sql.insert(row)}`
  const { secret, uri } = secondFactors.propose(member)
  assert.strictEqual(new URL(uri).searchParams.get("secret"), secret)
  const recoveryCodes = yield* secondFactors.set(member, secret, yield* codeOf(secret, -1))
  return { member, secret, recoveryCodes }
})

const givesPassword = Effect.fnUntraced(function* (member: Member, more: Partial<Origin> = {}) {
  const begun = yield* (yield* SignIns).withPassword(member.name, password, { ...from(member), ...more })
  if (!("ticket" in begun)) throw new Error("it asked for no code")
  return begun
})

const givesCode = Effect.fnUntraced(function* (
  member: Member,
  awaits: AwaitsCode,
  code: string,
  more: Partial<Origin> = {}
) {
  return yield* (yield* SignIns).withCode(awaits, code, { ...from(member), ...more }).pipe(
    Effect.as("signed in"),
    Effect.catch(({ _tag }) => Effect.succeed(_tag))
  )
})

const signsIn = Effect.fnUntraced(function* (member: Member, code: string, more: Partial<Origin> = {}) {
  return yield* givesCode(member, yield* givesPassword(member, more), code, more)
})

const sessionsOf = ({ id }: Member) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select * from sessions where member_id = ${id}`)

const services = SignIns.layer.pipe(
  Layer.provideMerge(Members.layer),
  Layer.provideMerge([Audit.layer, Workspaces.layer]),
  Layer.provideMerge([Wakeup.layer, TestConfig.layer]),
  Layer.provideMerge(TestSql.layer)
)

layer(services, { timeout: "120 seconds" })("a sign-in with a code", (it) => {
  it.effect(
    "takes the code of this step, the one before and the one after, each once, and no older one",
    () =>
      Effect.gen(function* () {
        const { member, secret } = yield* memberWithApp
        const tries: Array<readonly [number, string]> = []
        // The clock stands still: -1 was used to confirm the app.
        for (const steps of [-2, -1, 2, 0, 0, 1, 0, 1, -1]) {
          tries.push([steps, yield* signsIn(member, yield* codeOf(secret, steps))])
        }
        assert.deepStrictEqual(tries, [
          [-2, "FormRefused"],
          [-1, "FormRefused"],
          [2, "FormRefused"],
          [0, "signed in"],
          [0, "FormRefused"],
          [1, "signed in"],
          [0, "FormRefused"],
          [1, "FormRefused"],
          [-1, "FormRefused"]
        ])
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* signsIn(member, yield* codeOf(secret)), "FormRefused")
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* signsIn(member, yield* codeOf(secret)), "signed in")
      }).pipe(quietly)
  )

  it.effect("takes one code or recovery code from one of two who give it at once", () =>
    Effect.gen(function* () {
      const { member, recoveryCodes, secret } = yield* memberWithApp
      for (const code of [yield* codeOf(secret), recoveryCodes[0]!]) {
        const awaits = yield* givesPassword(member)
        const outcomes = yield* Effect.all(
          Array.from({ length: 8 }, () => givesCode(member, awaits, code)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          outcomes.filter((outcome) => outcome === "signed in"),
          1
        )
      }
    }).pipe(quietly)
  )

  it.effect(
    "begins no session before the code, and none with the ticket of another, an altered or a late one",
    () =>
      Effect.gen(function* () {
        const { member, secret } = yield* memberWithApp
        const other = yield* memberWithApp
        const awaits = yield* givesPassword(member)
        const foreign = yield* givesPassword(other.member)
        assert.lengthOf(yield* sessionsOf(member), 0)
        const code = yield* codeOf(secret)
        const [nonce, expires, proof] = awaits.ticket.split(".") as [string, string, string]
        for (const tried of [
          { ...awaits, ticket: foreign.ticket },
          { ...foreign, ticket: awaits.ticket },
          { ...awaits, ticket: `${nonce}.${Number(expires) + 1}.${proof}` },
          { ...awaits, ticket: "" },
          { memberId: "no id", ticket: awaits.ticket }
        ]) {
          assert.strictEqual(yield* givesCode(member, tried, code), "PasswordOver")
        }
        yield* (yield* Members).signOutEverywhere(member)
        assert.strictEqual(yield* givesCode(member, awaits, code), "PasswordOver")
        const late = yield* givesPassword(member)
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual(yield* givesCode(member, late, yield* codeOf(secret)), "PasswordOver")
        assert.lengthOf(yield* sessionsOf(member), 0)
      }).pipe(quietly)
  )

  it.effect(
    "stops guesses: ten from an address, twenty a day from strangers, and keeps a known browser's own ten",
    () =>
      Effect.gen(function* () {
        const { member, recoveryCodes, secret } = yield* memberWithApp
        const signIns = yield* SignIns
        const home = from(member)
        const begun = yield* signIns.withCode(yield* givesPassword(member), yield* codeOf(secret), home)
        const guesses = Effect.fnUntraced(function* (address: string, times: number) {
          const awaits = yield* givesPassword(member, { address })
          return yield* Effect.forEach(Array.from({ length: times }), () =>
            givesCode(member, awaits, "000000", { address })
          )
        })
        const ten = Array.from({ length: 10 }, () => "FormRefused")
        assert.deepStrictEqual(yield* guesses("198.18.0.1", 11), [...ten, "Throttled"])
        assert.deepStrictEqual(yield* guesses("198.18.0.2", 10), ten)
        // A right code, too, until a day has passed.
        yield* TestClock.adjust("1 hour")
        const stranger = { address: "198.18.0.3" }
        assert.strictEqual(yield* signsIn(member, yield* codeOf(secret), stranger), "Throttled")
        assert.strictEqual(yield* signsIn(member, recoveryCodes[0]!, stranger), "Throttled")
        const known = { ...home, device: begun.device }
        const awaits = yield* givesPassword(member, known)
        for (let guessed = 0; guessed < 9; guessed++) yield* givesCode(member, awaits, "000000", known)
        assert.strictEqual(yield* signsIn(member, yield* codeOf(secret), known), "signed in")
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* signsIn(member, yield* codeOf(secret), stranger), "signed in")
      }).pipe(quietly)
  )

  it.effect("takes each recovery code once, however it is typed, until new ones replace them", () =>
    Effect.gen(function* () {
      const { member, recoveryCodes } = yield* memberWithApp
      const secondFactors = yield* SecondFactors
      assert.lengthOf(new Set(recoveryCodes), 10)
      const [first, second, third] = recoveryCodes as [string, string, string]
      assert.match(first, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
      assert.strictEqual(yield* signsIn(member, first), "signed in")
      assert.strictEqual(yield* signsIn(member, first), "FormRefused")
      assert.strictEqual(yield* signsIn(member, ` ${second.toUpperCase().replaceAll("-", " ")}`), "signed in")
      assert.strictEqual((yield* secondFactors.state(member)).recovery_codes_left, 8)
      const [next] = yield* secondFactors.replaceRecoveryCodes(member)
      assert.strictEqual((yield* secondFactors.state(member)).recovery_codes_left, 10)
      assert.strictEqual(yield* signsIn(member, third), "FormRefused")
      assert.strictEqual(yield* signsIn(member, next!), "signed in")
    }).pipe(quietly)
  )

  it.effect("asks for none after the app is removed, and takes no code of another's or of a former app", () =>
    Effect.gen(function* () {
      const { member, recoveryCodes, secret } = yield* memberWithApp
      const other = yield* memberWithApp
      const secondFactors = yield* SecondFactors
      assert.strictEqual(yield* signsIn(member, yield* codeOf(other.secret)), "FormRefused")
      assert.strictEqual(yield* signsIn(member, other.recoveryCodes[0]!), "FormRefused")
      const newer = secondFactors.propose(member)
      const refused = yield* Effect.flip(secondFactors.set(member, newer.secret, yield* codeOf(secret)))
      assert.strictEqual(refused._tag, "CodeRefused")
      yield* secondFactors.set(member, newer.secret, yield* codeOf(newer.secret))
      assert.strictEqual(yield* signsIn(member, yield* codeOf(secret)), "FormRefused")
      assert.strictEqual(yield* signsIn(member, recoveryCodes[0]!), "FormRefused")
      assert.strictEqual(yield* signsIn(member, yield* codeOf(newer.secret, 1)), "signed in")
      yield* secondFactors.remove(member)
      assert.strictEqual((yield* Effect.flip(secondFactors.remove(member)))._tag, "NoTotp")
      const begun = yield* (yield* SignIns).withPassword(member.name, password, from(member))
      assert.property(begun, "device")
    }).pipe(quietly)
  )

  it.effect("stores the secret sealed, codes as hashes, and tells of each change", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { member, recoveryCodes, secret } = yield* memberWithApp
      yield* signsIn(member, yield* codeOf(secret))
      yield* signsIn(member, "000000")
      yield* signsIn(member, recoveryCodes[0]!)
      const stored = yield* sql<{ row: string }>`
        select t::text as row from totp_secrets t union all select c::text from recovery_codes c
        union all select a::text from audit_entries a`
      const text = stored.map(({ row }) => row).join()
      for (const hidden of [secret, ...recoveryCodes, recoveryCodes[1]!.replaceAll("-", "")]) {
        assert.notInclude(text, hidden)
        assert.notInclude(text, Buffer.from(hidden).toString("hex"))
      }
      const told = yield* sql<{ action: string }>`
        select action from audit_entries where subject::text like ${`%${member.id}%`} order by id`
      assert.deepStrictEqual(
        told.map(({ action }) => action),
        [
          "totp.set",
          "sign_in.accepted",
          "sign_in.new_device",
          "sign_in.code_refused",
          "recovery_code.used",
          "sign_in.accepted",
          "sign_in.new_device"
        ]
      )
    }).pipe(quietly)
  )

  it.effect("takes a recovery code where the secret does not open any more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { member, recoveryCodes, secret } = yield* memberWithApp
      yield* sql`update totp_secrets set secret = decode('01', 'hex') || substring(secret from 2) || decode('00', 'hex')
        where member_id = ${member.id}`
      assert.strictEqual(yield* signsIn(member, yield* codeOf(secret)), "FormRefused")
      assert.strictEqual(yield* signsIn(member, recoveryCodes[0]!), "signed in")
    }).pipe(quietly)
  )
})

function quietly<A, E, R>(effect: Effect.Effect<A, E, R>) {
  return Effect.provideService(effect, References.MinimumLogLevel, "None")
}
