import type { PlatformData } from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import type { Handle } from "@carillon/server/engine/Handle"
import {
  Accepted,
  type PublishError,
  type Reconciled,
  type Taken,
  WholeThread
} from "@carillon/server/platforms/Platform"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Redacted, Result } from "effect"
import { HttpClient } from "effect/http"
import { postOf, type Row } from "./AdapterRows.ts"
import { consentCode } from "./ConsentCode.ts"
import { mediaHost } from "./MediaHost.ts"
import { noneTaken, request, savedHandles } from "./TestRequest.ts"
import { tapped } from "./Wiretap.ts"

let accounts = 0

/** A person who has not signed in yet. */
export const somebody = Effect.fnUntraced(function* (row: Row, secret = "sandbox", heard?: Array<string>) {
  const sandbox = yield* SandboxProcess
  const client = yield* HttpClient.HttpClient
  const app = {
    id: "1234-app.apps.googleusercontent.com",
    secret: Redacted.make(secret),
    at: (host: string) => `${sandbox.url}/${host}`,
    stand_in: true
  }
  const platform = row.make(heard === undefined ? client : tapped(client, heard), app, sandbox.url)
  const username = `somebody${++accounts}${row.ending}`
  const network = sandbox.on(row.network)
  if (row.typed !== undefined) {
    const signIn = platform.connect!(row.typed(username, sandbox.url))
    return { platform, username, asked: [], signInWith: () => signIn, signIn, network }
  }
  const redirect_uri = "http://127.0.0.1:9/callback"
  const fields = row.signIn?.fields ?? {}
  const { authorizeUrl, exchange, servers } = platform.oauth!
  const consent = {
    login: row.login,
    redirect_uri,
    state: "state",
    code_verifier: "v".repeat(64),
    fields:
      servers === undefined ? fields : yield* servers.arrange(yield* servers.named(fields), redirect_uri)
  }
  const page = authorizeUrl(consent)
  const asked = new URL(page).searchParams.get("scope")!.split(/[ ,]/)
  /** What a person does in the browser. */
  const signInWith = Effect.fnUntraced(function* (scopes: ReadonlyArray<string>) {
    const code = yield* consentCode(page, username, scopes)
    const [account] = yield* exchange({ ...consent, code })
    return account!
  })
  return { platform, username, asked, signInWith, signIn: signInWith(asked), network }
})

/** `on`: the call that a test is about. `late`: the post was due two hours ago. */
export const connectedAs = Effect.fnUntraced(function* (
  { platform, username, signIn, network }: Effect.Success<ReturnType<typeof somebody>>,
  row: Row,
  on = "media",
  late = false
) {
  const account = yield* signIn
  const { credentials } = account
  const { url } = yield* mediaHost
  const { board_ids = [] }: any = row.network === "pinterest" ? yield* platform.choices!(credentials) : {}
  const post = request({
    username: account.username,
    remote_id: account.remote_id,
    target_id: `target-of-${username}`,
    due_at: DateTime.subtract(yield* DateTime.now, { hours: late ? 2 : 0 }),
    ...postOf(row, board_ids, url, on)
  })
  return { row, platform, post, credentials, signIn, username, network }
})

export type Connected = Effect.Success<ReturnType<typeof connectedAs>>

export const connected = (row: Row, on?: string, late?: boolean) =>
  Effect.flatMap(somebody(row), (person) => connectedAs(person, row, on, late))

/** The steps of a post as the engine takes them, each when it is asked for. */
export const attempt = Effect.fnUntraced(function* (
  { platform, post, credentials: first, signIn }: Connected,
  target_id = post.target_id
) {
  const { save, all } = yield* savedHandles
  const one = { ...post, target_id }
  let credentials = first
  let handle: Handle | null = null
  let open: "lost" | "accepted" | null = null
  let isReady = false
  let waits = 0
  const pause = Effect.sleep("10 millis")
  const kind = Effect.map(DateTime.now, (now) => platform.capabilities.reconcile(one, now))
  const published = (data: PlatformData) =>
    platform.confirm(one, credentials, handle!, data).pipe(
      Effect.orElseSucceed(() => data),
      Effect.map((known) => ({ end: "published" as const, ...known }))
    )

  const prepare = Effect.gen(function* () {
    let prepared = yield* platform.prepare(one, credentials, handle, save)
    while (prepared._tag === "wait") {
      waits += 1
      yield* pause
      prepared = yield* platform.poll(one, credentials, prepared.handle)
    }
    handle = JSON.parse(JSON.stringify(prepared.handle)) as Handle
    assert.deepStrictEqual(handle, prepared.handle)
    isReady = true
  })

  const commit = Effect.suspend(() => platform.commit(one, credentials, handle!)).pipe(
    Effect.tapError((error) =>
      Effect.sync(() => {
        if (error.class === "ambiguous") open = "lost"
      })
    )
  )

  const look = (taken: Taken) => Effect.suspend(() => platform.reconcile(one, credentials, handle!, taken))

  const settle = Effect.fnUntraced(function* (taken: Taken) {
    while (true) {
      const found: Reconciled = yield* look(taken)
      if ((yield* kind) === "none") assert.strictEqual(found._tag, "unknown")
      switch (found._tag) {
        case "published":
          return yield* published(found.data)
        case "refused":
          return yield* found.failure
        case "unknown":
          return { end: "unconfirmed" as const }
        case "not_published":
          open = null
          return { end: "again" as const }
        case "working":
          handle = found.handle
          yield* pause
          break
        case "thread_published":
          return yield* Effect.die("no thread was asked for")
      }
    }
  })

  const next = Effect.fnUntraced(function* (taken: Taken) {
    if (open !== null && !(open === "lost" && (yield* kind) === "replay")) return yield* settle(taken)
    if (open === null && !isReady) yield* prepare
    isReady = false
    const done = yield* commit
    if (done instanceof WholeThread) return yield* Effect.die("no thread was asked for")
    if (!(done instanceof Accepted)) return yield* published(done)
    handle = done.handle
    open = "accepted"
    return yield* settle(taken)
  })

  /** Until it is out, at an end, or in a doubt that only a person can settle. `late`: what happens while the engine waits. */
  const carryOut = Effect.fnUntraced(function* (
    late: Effect.Effect<unknown, PublishError> = Effect.void,
    taken = noneTaken
  ) {
    const errors: Array<PublishError> = []
    const told = { errors, id: undefined, url: undefined, username: undefined }
    for (let tries = 0; tries < 8; tries++) {
      const result = yield* Effect.result(next(taken))
      if (Result.isSuccess(result)) {
        if (result.success.end === "again") continue
        return { ...told, ...result.success, waits }
      }
      const error = result.failure
      errors.push(error)
      if (error.class === "ambiguous") yield* late
      else if (open === null) handle = error.discard_handle === true ? null : ((yield* all).at(-1) ?? handle)
      if (["invalid", "forbidden", "media_rejected"].includes(error.class)) break
      if (error.class !== "reconnect") continue
      const renewed = yield* Effect.result(
        error.token_expired === true
          ? Effect.catchIf(
              platform.refresh(credentials),
              ({ class: errorClass }) => errorClass === "reconnect",
              () => signIn
            )
          : signIn
      )
      // What was typed is not accepted any more.
      if (Result.isFailure(renewed)) break
      credentials = renewed.success.credentials
    }
    return { ...told, end: "failed" as const, waits }
  })

  return { one, kind, prepare, commit, look, carryOut, handle: () => handle!, saved: all }
})

/** A post of its own, to its end. */
export const carriedOut = (account: Connected, late?: Effect.Effect<unknown, PublishError>) =>
  Effect.flatMap(attempt(account), ({ carryOut }) => carryOut(late))
