import type { ErrorClass, PlatformData } from "@carillon/domain"
import { type Fault, SandboxProcess } from "@carillon/sandbox/testing"
import type { Handle } from "@carillon/server/engine/Handle"
import { Accepted, type PublishError, type Reconciled } from "@carillon/server/platforms/Platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Result } from "effect"
import { HttpClient } from "effect/http"
import { consentCode } from "./ConsentCode.ts"
import { mediaHost } from "./MediaHost.ts"
import { type Flow, flows, type Purpose } from "./OAuthFlows.ts"
import { request, savedHandles } from "./TestRequest.ts"

const Network = Layer.merge(SandboxProcess.layer, NodeHttpClient.layerUndici)

let accounts = 0

type Connected = Effect.Success<ReturnType<typeof connected>>

const connected = Effect.fnUntraced(function* (flow: Flow) {
  const sandbox = yield* SandboxProcess
  const platform = flow.make(yield* HttpClient.HttpClient, {
    id: "1234-app.apps.googleusercontent.com",
    secret: Redacted.make("sandbox"),
    at: (host) => `${sandbox.url}/${host}`,
    stand_in: true
  })
  const username = `somebody${++accounts}`
  const consent = {
    login: flow.login,
    redirect_uri: "http://127.0.0.1:9/callback",
    state: "state",
    code_verifier: "v".repeat(64)
  }
  /** What a person does in the browser. */
  const signIn = Effect.gen(function* () {
    const page = platform.oauth!.authorizeUrl(consent)
    const scopes = new URL(page).searchParams.get("scope")!.split(/[ ,]/)
    const code = yield* consentCode(page, username, scopes)
    const [account] = yield* platform.oauth!.exchange({ ...consent, code })
    return account!
  })
  const { remote_id, credentials } = yield* signIn
  const { url } = yield* mediaHost
  const post = request({
    username,
    remote_id,
    target_id: `target-of-${username}`,
    due_at: yield* DateTime.now,
    ...flow.post(url, remote_id)
  })
  return { platform, post, credentials, signIn, username, network: sandbox.on(flow.network) }
})

/** What the engine does until the post is out, at an end, or in a doubt that only a person can settle. */
const carryOut = Effect.fnUntraced(function* (
  { platform, post, credentials: first, signIn }: Connected,
  late: Effect.Effect<unknown> = Effect.void
) {
  const errors: Array<PublishError> = []
  const { save, all } = yield* savedHandles
  let credentials = first
  let handle: Handle | null = null
  let open = false
  const pause = Effect.sleep("10 millis")
  const confirmed = (data: PlatformData) =>
    platform.confirm(post, credentials, handle!, data).pipe(
      Effect.orElseSucceed(() => data),
      Effect.map((known) => ({ end: "published" as const, url: known.url }))
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
      if (!(done instanceof Accepted)) return yield* confirmed(done)
      handle = done.handle
      open = true
    }
    while (true) {
      const found: Reconciled = yield* platform.reconcile(post, credentials, handle!)
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
      if (result.success.end !== "again") return { errors, ...result.success }
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
  return { errors, end: "failed" as const }
})

type ScriptedFault = Omit<Fault, "on" | "times"> & { readonly retry_after?: number; readonly on?: never }

/** Every fault that any call can be told to have, and what it is where nothing can have been published yet. */
const faults: ReadonlyArray<readonly [ScriptedFault, ErrorClass | null]> = [
  [{ fault: "slow", ms: 20 } as ScriptedFault, null],
  [{ fault: "forbidden" }, "forbidden"],
  [{ fault: "unauthorized" }, "reconnect"],
  [{ fault: "rate_limited", retry_after: 30 }, "rate_limited"],
  [{ fault: "rate_limited" }, "rate_limited"],
  [{ fault: "server_error_before" }, "transient"],
  [{ fault: "reset_before" }, "transient"],
  [{ fault: "effect_then_server_error" }, "transient"],
  [{ fault: "effect_then_lost_reply" }, "transient"],
  [{ fault: "long_answer" }, "transient"],
  [{ fault: "half_body" }, "transient"],
  [{ fault: "half_body", cut: true } as ScriptedFault, "transient"]
]

const ofCommits: typeof faults = [
  ...faults.map(
    ([fault, expected]) => [fault, expected === "transient" ? ("ambiguous" as const) : expected] as const
  ),
  [{ fault: "late_effect", ms: 20, connection: "cut" } as ScriptedFault, "ambiguous"]
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
        what: flow.name,
        errorClass: expected(flow, on, purpose, fault, usual)
      }))
  )
)

layer(Network, { excludeTestServices: true })(
  "an adapter whose accounts are connected in the browser",
  (it) => {
    it.effect.each(flows.map((flow) => [flow.name, flow] as const))("makes these calls for %s", ([, flow]) =>
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

    it.effect.each(rows)(
      "publishes $what once, or says why not: $on goes wrong with $words",
      ({ flow, on, fault, purpose, errorClass }) =>
        Effect.gen(function* () {
          const account = yield* connected(flow)
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
          for (const error of errors) {
            assert.strictEqual(error.token_expired ?? false, fault.fault === "unauthorized")
            assert.strictEqual(error.retry_at !== undefined, fault.retry_after !== undefined)
            assert.match(error.message, /^[A-Z].+[.!)"]$/)
          }
          const lost = errorClass === "ambiguous" && flow.nobody_can_tell
          const refused = errorClass === "forbidden" && purpose !== "look"
          assert.strictEqual(end, lost ? "unconfirmed" : errorClass === "forbidden" ? "failed" : "published")
          if (lost) assert.isAtMost((yield* network.publications(username)).length, 1)
          else if (refused) assert.deepStrictEqual(yield* network.publications(username), [])
          else assert.lengthOf(yield* network.waitForPublications(username, 1), 1)
        })
    )
  }
)
