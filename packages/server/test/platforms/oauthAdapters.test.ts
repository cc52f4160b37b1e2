import type { ErrorClass, PlatformData } from "@carillon/domain"
import { type Fault, SandboxProcess } from "@carillon/sandbox/testing"
import type { Handle } from "@carillon/server/engine/Handle"
import {
  Accepted,
  type PublishError,
  type Reconciled,
  WholeThread
} from "@carillon/server/platforms/Platform"
import { SharedSandbox } from "@carillon/testing/SharedService"
import type { Purpose } from "@carillon/testing/Walks"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Result } from "effect"
import { HttpClient } from "effect/http"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { consentCode } from "./ConsentCode.ts"
import { mediaHost } from "./MediaHost.ts"
import { type Flow, flows, postOf } from "./OAuthFlows.ts"
import { noneTaken, request, savedHandles, takenAre } from "./TestRequest.ts"
import { secretsIn, tapped } from "./Wiretap.ts"

const Network = Layer.merge(SharedSandbox, NodeHttpClient.layerUndici)

let accounts = 0

type Connected = Effect.Success<ReturnType<typeof connected>>

/** A person who has not signed in yet. */
const somebody = Effect.fnUntraced(function* (flow: Flow, secret = "sandbox", heard?: Array<string>) {
  const sandbox = yield* SandboxProcess
  const client = yield* HttpClient.HttpClient
  const platform = flow.make(heard === undefined ? client : tapped(client, heard), {
    id: "1234-app.apps.googleusercontent.com",
    secret: Redacted.make(secret),
    at: (host) => `${sandbox.url}/${host}`,
    stand_in: true
  })
  const username = `somebody${++accounts}${flow.ending}`
  const redirect_uri = "http://127.0.0.1:9/callback"
  const fields = flow.signIn?.fields ?? {}
  const { servers } = platform.oauth!
  const consent = {
    login: flow.login,
    redirect_uri,
    state: "state",
    code_verifier: "v".repeat(64),
    fields:
      servers === undefined ? fields : yield* servers.arrange(yield* servers.named(fields), redirect_uri)
  }
  const page = platform.oauth!.authorizeUrl(consent)
  const asked = new URL(page).searchParams.get("scope")!.split(/[ ,]/)
  /** What a person does in the browser. */
  const signInWith = Effect.fnUntraced(function* (scopes: ReadonlyArray<string>) {
    const code = yield* consentCode(page, username, scopes)
    const [account] = yield* platform.oauth!.exchange({ ...consent, code })
    return account!
  })
  const signIn = signInWith(asked)
  return { platform, username, asked, signInWith, signIn, network: sandbox.on(flow.network) }
})

const connectedAs = Effect.fnUntraced(function* (
  { platform, username, signIn, network }: Effect.Success<ReturnType<typeof somebody>>,
  flow: Flow,
  on = "media"
) {
  const { remote_id, credentials } = yield* signIn
  const { url } = yield* mediaHost
  const { board_ids = [] }: any = flow.network === "pinterest" ? yield* platform.choices!(credentials) : {}
  const post = request({
    username,
    remote_id,
    target_id: `target-of-${username}`,
    due_at: yield* DateTime.now,
    ...postOf(flow, board_ids, url, on)
  })
  return { platform, post, credentials, signIn, username, network }
})

const connected = (flow: Flow, on?: string) =>
  Effect.flatMap(somebody(flow), (person) => connectedAs(person, flow, on))

/** What the engine does until the post is out, at an end, or in a doubt that only a person can settle. */
const carryOut = Effect.fnUntraced(function* (
  { platform, post, credentials: first, signIn }: Connected,
  late: Effect.Effect<unknown, PublishError> = Effect.void,
  taken = noneTaken,
  ahead: Handle | null = null
) {
  const errors: Array<PublishError> = []
  const { save, all } = yield* savedHandles
  let credentials = first
  let handle = ahead
  let open = false
  const pause = Effect.sleep("10 millis")
  const confirmed = (data: PlatformData) =>
    platform.confirm(post, credentials, handle!, data).pipe(
      Effect.orElseSucceed(() => data),
      Effect.map((known) => ({ end: "published" as const, id: known.id, url: known.url }))
    )

  const attempt = Effect.gen(function* () {
    if (!open) {
      let prepared = yield* platform.prepare(post, credentials, handle, save)
      while (prepared._tag === "wait") {
        yield* pause
        prepared = yield* platform.poll(post, credentials, prepared.handle)
      }
      handle = prepared.handle
      const done = yield* platform.commit(post, credentials, handle)
      if (done instanceof WholeThread) return yield* Effect.die("no thread was asked for")
      if (!(done instanceof Accepted)) return yield* confirmed(done)
      handle = done.handle
      open = true
    }
    while (true) {
      const found: Reconciled = yield* platform.reconcile(post, credentials, handle!, taken)
      switch (found._tag) {
        case "published":
          return yield* confirmed(found.data)
        case "refused":
          return yield* found.failure
        case "unknown":
          return { end: "unconfirmed" as const }
        case "not_published":
          open = false
          return { end: "again" as const }
        case "working":
          handle = found.handle
          yield* pause
      }
    }
  })

  for (let tries = 0; tries < 8; tries++) {
    const result = yield* Effect.result(attempt)
    if (Result.isSuccess(result)) {
      if (result.success.end !== "again") return { errors, id: undefined, ...result.success }
      continue
    }
    const error = result.failure
    errors.push(error)
    if (error.class === "ambiguous") {
      open = true
      // As the engine waits for `settle_wait`: what is late is there by then.
      yield* late
    } else if (!open) handle = error.discard_handle === true ? null : ((yield* all).at(-1) ?? handle)
    if (["invalid", "forbidden", "media_rejected"].includes(error.class)) break
    if (error.token_expired === true) {
      credentials = yield* platform.refresh(credentials).pipe(
        Effect.catchIf(
          ({ class: errorClass }) => errorClass === "reconnect",
          () => signIn
        ),
        Effect.map((renewed) => renewed.credentials)
      )
    }
  }
  return { errors, id: undefined, end: "failed" as const }
})

type ScriptedFault = Omit<Fault, "on" | "times"> & { readonly retry_after?: number; readonly on?: never }

/** The faults that any call can be told to have, and what each is where nothing can have been published yet. */
const faults: ReadonlyArray<readonly [ScriptedFault, ErrorClass]> = [
  [{ fault: "forbidden" }, "forbidden"],
  [{ fault: "unauthorized" }, "reconnect"],
  [{ fault: "rate_limited", retry_after: 30 }, "rate_limited"],
  [{ fault: "rate_limited" }, "rate_limited"],
  [{ fault: "server_error_before" }, "transient"],
  [{ fault: "reset_before" }, "transient"],
  [{ fault: "effect_then_server_error" }, "transient"],
  [{ fault: "effect_then_lost_reply" }, "transient"],
  [{ fault: "long_answer" }, "transient"],
  [{ fault: "half_body" }, "transient"]
]

const ofCommits: ReadonlyArray<readonly [ScriptedFault, ErrorClass | null]> = [
  ...faults.map(
    ([fault, expected]) => [fault, expected === "transient" ? ("ambiguous" as const) : expected] as const
  ),
  [{ fault: "half_body", cut: true } as ScriptedFault, "ambiguous"],
  [{ fault: "late_effect", ms: 20, connection: "cut" } as ScriptedFault, "ambiguous"],
  [{ fault: "slow", ms: 20 } as ScriptedFault, null]
]

/** The class of the error, or null where nobody notices. */
const expected = (
  flow: Flow,
  on: string,
  purpose: Purpose,
  fault: ScriptedFault,
  usual: ErrorClass | null
) => {
  if (purpose === "after") return null
  if (["half_body", "long_answer"].includes(fault.fault) && flow.without_answer.includes(on)) return null
  return purpose === "asked" && usual !== "reconnect" ? null : usual
}

const rows = flows.flatMap((flow) =>
  Object.entries(flow.calls).flatMap(([on, purpose]) =>
    (purpose === "commit" ? ofCommits : faults)
      .filter(([{ fault }]) => flow.unheard_of[on]?.includes(fault) !== true)
      .map(([fault, usual]) => ({
        flow,
        on,
        fault,
        purpose,
        words: JSON.stringify(fault),
        what: flow.what,
        errorClass: expected(flow, on, purpose, fault, usual)
      }))
  )
)

const logins = flows.filter(({ login }, index) => flows.findIndex((one) => one.login === login) === index)

/** Their token endpoints speak as RFC 6749 does. */
const renewed = logins.filter(({ lasting, network }) => network !== "instagram" && lasting !== true)

const lookups = flows.flatMap((flow) =>
  flow.lookup === undefined
    ? []
    : faults.map(([fault, errorClass]) => ({
        flow,
        fault,
        lookup: flow.lookup!,
        words: JSON.stringify(fault),
        what: flow.what,
        errorClass
      }))
)

/** Of two that say the same, both prepared before either is out: what goes wrong with which. */
const alike = flows
  .filter(({ silent }) => silent !== true)
  .flatMap((flow) =>
    (["reset_before", "effect_then_lost_reply"] as const).flatMap((fault) =>
      (["first", "second"] as const).map((which) => ({ flow, fault, which, what: flow.what }))
    )
  )

/** What the account is told of an error. */
const assertSaid = ({ lasting }: Flow, errors: ReadonlyArray<PublishError>, fault: ScriptedFault) => {
  for (const error of errors) {
    assert.strictEqual(error.token_expired ?? false, fault.fault === "unauthorized" && lasting !== true)
    assert.strictEqual(error.retry_at !== undefined, fault.retry_after !== undefined)
    assert.match(error.message, /^[A-Z].+[.!)"]$/)
  }
}

layer(Network, { excludeTestServices: true, concurrent: true })(
  "an adapter whose accounts are connected in the browser",
  (it) => {
    it.effect.each(logins)("connects with the login $login, and again as the same account", (flow) =>
      Effect.gen(function* () {
        const { signIn, username } = yield* somebody(flow)
        const [first, second] = [yield* signIn, yield* signIn]
        assert.strictEqual(first.username.split("@", 1)[0], username)
        assert.strictEqual(first.remote_id, second.remote_id)
      })
    )

    it.effect.each(logins)("says what was not granted to the login $login", (flow) =>
      Effect.gen(function* () {
        const { signInWith, asked } = yield* somebody(flow)
        const unticked = asked.filter((scope) => flow.needed.some((end) => scope.endsWith(end)))
        assert.lengthOf(unticked, flow.needed.length)
        const error = yield* Effect.flip(signInWith(asked.filter((scope) => !unticked.includes(scope))))
        assert.strictEqual(error.code, "scopes_missing")
        assert.include(error.message, flow.needed[0]!)
      })
    )

    it.effect.each(renewed)("tells the operator that the login $login does not know the app", (flow) =>
      Effect.gen(function* () {
        const { signIn } = yield* somebody(flow, "wrong")
        assert.strictEqual((yield* Effect.flip(signIn)).class, "config")
      })
    )

    it.effect.each(
      renewed.flatMap((flow) =>
        faults
          .filter(([{ fault }]) => !["slow", "unauthorized"].includes(fault))
          .map(([fault, errorClass]) => ({
            flow,
            fault,
            errorClass,
            what: flow.login,
            words: JSON.stringify(fault)
          }))
      )
    )("knows $words of a refresh at $what", ({ flow, fault, errorClass }) =>
      Effect.gen(function* () {
        const { platform, credentials, network, username } = yield* connected(flow)
        yield* network.script(username, [{ on: "session", ...fault } as Fault])
        const error = yield* Effect.flip(platform.refresh(credentials))
        assert.strictEqual(error.class, errorClass)
        assertSaid(flow, [error], fault)
      })
    )

    it.effect.each(flows.map((flow) => [flow.what, flow] as const))("makes these calls for %s", ([, flow]) =>
      Effect.gen(function* () {
        const account = yield* connected(flow)
        const { username, network } = account
        const earlier = (yield* network.requests(username)).length
        const done = yield* carryOut(account)
        assert.deepStrictEqual([done.end, done.errors], ["published", []])
        assert.lengthOf(yield* network.publications(username), 1)
        const made = (yield* network.requests(username)).slice(earlier).map(({ operation }) => operation)
        assert.deepStrictEqual(
          new Set(made.filter((operation) => operation !== null)),
          new Set(Object.keys(flow.calls))
        )
      })
    )

    it.effect.each(flows.map((flow) => [flow.what, flow] as const))(
      "leaves no secret of %s with the test network: not in its ledger, its journal or its feed",
      ([, flow]) =>
        Effect.gen(function* () {
          const { url, directory } = yield* SandboxProcess
          const heard: Array<string> = []
          const account = yield* connectedAs(yield* somebody(flow, `sandbox-${flow.what}`, heard), flow)
          assert.strictEqual((yield* carryOut(account)).end, "published")
          yield* Effect.ignore(account.platform.refresh(account.credentials))
          yield* account.platform.revocation?.revoke(account.credentials) ?? Effect.void
          const secrets = secretsIn(heard)
          assert.isAtLeast(secrets.size, 3)
          const kept = yield* Effect.promise(() =>
            Promise.all([
              readFile(join(directory, "ledger.jsonl"), "utf8"),
              ...["/ledger", "/ledger/requests", "/feed.json", "/"].map(async (path) =>
                (await fetch(`${url}${path}`)).text()
              )
            ])
          )
          assert.include(kept[0], account.username)
          for (const secret of secrets) {
            for (const text of kept) {
              assert.isFalse(text.includes(secret) || text.includes(encodeURIComponent(secret)), secret)
            }
          }
        })
    )

    it.effect.each(rows)(
      "publishes $what once, or says why not: $on goes wrong with $words",
      ({ flow, on, fault, purpose, errorClass }) =>
        Effect.gen(function* () {
          const account = yield* connected(flow, on)
          const { username, network } = account
          yield* network.script(username, [{ on, ...fault } as Fault])
          const late =
            fault.fault === "late_effect"
              ? Effect.orDie(network.waitForPublications(username, 1))
              : Effect.void
          const { errors, end } = yield* carryOut(account, late)
          assert.deepStrictEqual(
            errors.map((error) => error.class),
            errorClass === null ? [] : [errorClass]
          )
          assertSaid(flow, errors, fault)
          const lost = errorClass === "ambiguous" && flow.silent === true
          const refused = errorClass === "forbidden" && purpose !== "look"
          assert.strictEqual(end, lost ? "unconfirmed" : errorClass === "forbidden" ? "failed" : "published")
          if (lost) assert.isAtMost((yield* network.publications(username)).length, 1)
          else if (refused) assert.deepStrictEqual(yield* network.publications(username), [])
          else assert.lengthOf(yield* network.waitForPublications(username, 1), 1)
        })
    )

    it.effect.each(lookups)(
      "finds $what after a lost answer though the look goes wrong with $words",
      ({ flow, fault, lookup: { on, before }, errorClass }) =>
        Effect.gen(function* () {
          const account = yield* connected(flow, "post")
          const { username, network } = account
          yield* network.script(username, [
            { on: "post", fault: "effect_then_lost_reply" },
            ...(before === 0 ? [] : [{ on, fault: "slow", ms: 0, times: before }]),
            { on, ...fault }
          ] as ReadonlyArray<Fault>)
          const { errors, end } = yield* carryOut(account)
          const [lost, ...ofTheLook] = errors
          assert.strictEqual(lost!.class, "ambiguous")
          assert.deepStrictEqual(
            ofTheLook.map((error) => error.class),
            [errorClass]
          )
          assertSaid(flow, ofTheLook, fault)
          assert.strictEqual(end, errorClass === "forbidden" ? "failed" : "published")
          assert.lengthOf(yield* network.publications(username), 1)
        })
    )

    it.effect.each(alike)(
      "publishes $what twice where it is asked for twice, and $fault happens to the $which",
      ({ flow, fault, which }) =>
        Effect.gen(function* () {
          const account = yield* connected(flow, "post")
          const { credentials, network, platform, post, username } = account
          const again = { ...account, post: { ...post, target_id: `${post.target_id}-again` } }
          const { handle } = yield* platform.prepare(again.post, credentials, null, () => Effect.void)
          const known: Array<string> = []
          const heard = Effect.map(carryOut(account), ({ end, id }) => {
            assert.strictEqual(end, "published")
            known.push(id!)
          })
          if (which === "second") yield* heard
          yield* network.script(username, [{ on: "post", fault } as Fault])
          const other = yield* carryOut(
            again,
            which === "first" ? heard : Effect.void,
            takenAre(known),
            handle
          )
          assert.strictEqual(other.end, "published")
          assert.notInclude(known, other.id)
          assert.lengthOf(yield* network.publications(username), 2)
        })
    )
  }
)
