import type { PlatformData } from "@carillon/domain"
import type { Handle } from "@carillon/server/engine/Handle"
import {
  Accepted,
  type PublishError,
  type Reconciled,
  type Taken,
  WholeThread
} from "@carillon/server/platforms/Platform"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Result } from "effect"
import { postOf, type Row } from "./AdapterRows.ts"
import { mediaHost } from "./MediaHost.ts"
import { type Person, publisherOf, signedIn, somebody } from "./Publisher.ts"
import { noneTaken, savedHandles } from "./TestRequest.ts"

/** `on`: the call that a test is about. `late`: the post was due two hours ago. */
export const connectedAs = Effect.fnUntraced(function* (
  person: Person,
  row: Row,
  on = "media",
  late = false
) {
  const account = yield* signedIn(person)
  const { url } = yield* mediaHost
  const { board_ids = [] }: any =
    row.network === "pinterest" ? yield* person.platform.choices!(account.credentials, account.remote_id) : {}
  return yield* publisherOf(person, account, {
    due_at: DateTime.subtract(yield* DateTime.now, { hours: late ? 2 : 0 }),
    ...postOf(row, board_ids, url, on)
  })
})

export type Connected = Effect.Success<ReturnType<typeof connectedAs>>

export const connected = (row: Row, on?: string, late?: boolean) =>
  Effect.flatMap(somebody(row), (person) => connectedAs(person, row, on, late))

/** The steps of a post as the engine takes them, each when it is asked for. */
export const attempt = Effect.fnUntraced(function* (account: Connected, target_id = account.post.target_id) {
  const { platform, post, tokens, credentials: first } = account
  const signIn = signedIn(account)
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
              ({ class: errorClass }) => errorClass === "reconnect" && tokens === "end",
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
