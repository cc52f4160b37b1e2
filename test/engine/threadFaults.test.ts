import { type Fault, SandboxProcess } from "@carillon/sandbox/testing"
import { connect, create, eventually, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const places = [0, 1, 2]
const captions = ["A", "B", "C"]

/** Calls of the script that go as they should. */
const well = (on: "post" | "media", times: number): ReadonlyArray<Fault> =>
  times === 0 ? [] : [{ on, fault: "slow", ms: 0, times }]

const bells = readFileSync(join(import.meta.dirname, "../../examples/media/bells.jpg"))

/** A thread of three that meets the faults. If they are about media, each item has its own picture. */
const begin = Effect.fnUntraced(function* (username: string, faults: ReadonlyArray<Fault>) {
  const service = yield* Service
  const account = yield* connect(username)
  yield* (yield* SandboxProcess).script(username, faults)
  const [first, ...thread] = yield* Effect.forEach(captions, (caption) =>
    faults.some(({ on }) => on === "media")
      ? Effect.map(service.upload(bells, "image/jpeg", `${caption}.jpg`), (id) => ({ caption, media: [id] }))
      : Effect.succeed({ caption })
  )
  return yield* create({ social_accounts: [account], ...first, thread })
})

/** Each of the three is live once, in order, as an answer to the one before. */
const isWhole = Effect.fnUntraced(function* (username: string, postId: string) {
  const post = yield* eventually(
    postId,
    ({ results: [{ failed_items, status }] }) => status === "published" && failed_items === 0
  )
  const [{ error, items }] = post.results
  assert.isNull(error)
  assert.deepStrictEqual(
    items.map((item: any) => [item.index, item.status, item.error]),
    places.map((index) => [index, "published", null])
  )
  const live = yield* (yield* SandboxProcess).publications(username)
  assert.deepStrictEqual(
    live.map(({ text, details }) => [text, details?.["reply_to"] ?? null]),
    captions.map((caption, index) => [caption, index === 0 ? null : live[index - 1]!.id])
  )
})

/** The states and the errors of the items, of which the one at this place is not live for this reason. */
const standsAt = (post: any, place: number, status: string, code: string) => {
  const [{ error, failed_items, items, ...result }] = post.results
  const after = status === "failed" ? "failed" : "waiting"
  assert.strictEqual(error.code, code)
  assert.deepStrictEqual(
    items.map((item: any) => [item.status, item.error]),
    places.map((index) =>
      index < place ? ["published", null] : index === place ? [status, error] : [after, null]
    )
  )
  const isOver = status !== "waiting"
  assert.strictEqual(failed_items, isOver && place > 0 ? 3 - place : 0)
  assert.strictEqual(result.status, status === "failed" && place > 0 ? "published" : status)
  assert.strictEqual(post.status, !isOver ? "scheduled" : place > 0 ? "published" : "failed")
  assert.strictEqual(post.published_at !== null, place > 0)
}

const atEach = <E, R>(run: (place: number) => Effect.Effect<void, E, R>) =>
  Effect.forEach(places, run, { concurrency: "unbounded", discard: true })

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds", concurrent: true })(
  "at the first, a middle and the last item a thread",
  (it) => {
    const final: ReadonlyArray<readonly [string, string, (place: number) => ReadonlyArray<Fault>]> = [
      ["forbidden", "forbidden", (place) => [...well("post", place), { on: "post", fault: "forbidden" }]],
      [
        "invalid",
        "banned_word",
        (place) => [...well("post", place), { on: "post", fault: "refuse", code: "banned_word" }]
      ],
      [
        "media_rejected",
        "media_failed",
        (place) => [...well("media", place), { on: "media", fault: "refuse", code: "media_failed" }]
      ]
    ]
    for (const [errorClass, code, faults] of final) {
      it.effect(`breaks off where the platform says ${errorClass}, and a retry sends what is missing`, () =>
        atEach((place) =>
          Effect.gen(function* () {
            const service = yield* Service
            const name = `thread-${errorClass}-${place}`
            const { id } = yield* begin(name, faults(place))
            const broken = yield* settled(id)
            standsAt(broken, place, "failed", code)
            assert.strictEqual(broken.results[0].error.class, errorClass)
            if (place > 0 && broken.media.length > 0) {
              // What is live needs its files no more.
              const { status } = yield* service.call("DELETE", `/v1/media/${broken.media[0]}`)
              assert.strictEqual(status, 200)
            }
            const retried = yield* service.call("POST", `/v1/posts/${id}/retry`, {})
            assert.strictEqual(retried.status, 200, JSON.stringify(retried.body))
            yield* isWhole(name, id)
          })
        )
      )
    }

    it.effect(
      "waits for an account that has to be connected again, can not be changed then, and goes on",
      () =>
        atEach((place) =>
          Effect.gen(function* () {
            const service = yield* Service
            const name = `thread-reconnect-${place}`
            const { id } = yield* begin(name, [
              ...well("post", place),
              { on: "post", fault: "unauthorized" },
              { on: "session", fault: "unauthorized" }
            ])
            const waiting = yield* eventually(id, ({ results }) => results[0].error !== null)
            standsAt(waiting, place, "waiting", "token_expired")
            assert.strictEqual(waiting.results[0].error.action, "reconnect_account")
            if (place > 0)
              for (const [method, path, body] of [
                ["PATCH", "", { caption: "Changed" }],
                ["PATCH", "", { is_draft: true }],
                ["POST", "/publish", {}],
                ["DELETE", "", undefined]
              ] as const) {
                const { body: refused } = yield* service.call(method, `/v1/posts/${id}${path}`, body)
                assert.strictEqual(refused.code, "post_not_editable", `${method} ${path}`)
              }
            yield* connect(name)
            yield* isWhole(name, id)
          })
        )
    )

    it.effect("waits as long as the platform asks, once for the item that it asked it for", () =>
      atEach((place) =>
        Effect.gen(function* () {
          const sandbox = yield* SandboxProcess
          const service = yield* Service
          const name = `thread-limited-${place}`
          const { id } = yield* begin(name, [
            ...well("post", place),
            { on: "post", fault: "rate_limited", retry_after: 1 }
          ])
          yield* isWhole(name, id)
          const asked = (yield* sandbox.requests(name)).filter(({ operation }) => operation === "post")
          assert.lengthOf(asked, 4)
          const [refused, again] = asked.slice(place).map(({ received_at }) => Date.parse(received_at))
          assert.isAtLeast(again! - refused!, 1000)
          const { body } = yield* service.call("GET", `/v1/posts/${id}`)
          const one = yield* service.call("GET", `/v1/post-results/${body.results[0].id}`)
          assert.deepStrictEqual(
            one.body.attempts_log.map((attempt: any) => attempt.outcome),
            places.flatMap((index) => (index === place ? ["waiting", "published"] : ["published"]))
          )
        })
      )
    )

    it.effect("tries what fails for a moment again", () =>
      atEach((place) =>
        Effect.gen(function* () {
          const name = `thread-transient-${place}`
          const { id } = yield* begin(name, [
            ...well("media", place),
            { on: "media", fault: "server_error_before" }
          ])
          const waiting = yield* eventually(id, ({ results }) => results[0].error !== null)
          standsAt(waiting, place, "waiting", "http_500")
          assert.strictEqual(waiting.results[0].error.class, "transient")
          // Whoever connects the account again does not wait for the next try.
          yield* connect(name)
          yield* isWhole(name, id)
        })
      )
    )

    for (const kind of ["key", "lookup"]) {
      it.effect(`finds out what became of an item whose reply was lost (${kind})`, () =>
        atEach((place) =>
          Effect.gen(function* () {
            const name = `thread-lost-${place}-${kind}`
            const { id } = yield* begin(name, [
              ...well("post", place),
              { on: "post", fault: "effect_then_lost_reply" }
            ])
            yield* isWhole(name, id)
          })
        )
      )
    }

    for (const live of [true, false]) {
      it.effect(
        `asks a person where nobody can know of an item, and goes on when they say that it is ${live ? "live" : "not"}`,
        () =>
          atEach((place) =>
            Effect.gen(function* () {
              const sandbox = yield* SandboxProcess
              const service = yield* Service
              const name = `thread-${live ? "seen" : "unseen"}-${place}-none`
              const { id } = yield* begin(name, [
                ...well("post", place),
                { on: "post", fault: live ? "effect_then_lost_reply" : "reset_before" }
              ])
              const doubted = yield* settled(id)
              standsAt(doubted, place, "unconfirmed", doubted.results[0].error.code)
              assert.strictEqual(doubted.results[0].error.class, "ambiguous")
              const confirm = (body: object) =>
                service.call("POST", `/v1/post-results/${doubted.results[0].id}/confirm`, body)

              if (live) {
                const isLast = place === 2
                const unsaid = yield* confirm({ published: true })
                assert.strictEqual(unsaid.status, isLast ? 200 : 400)
                if (!isLast) {
                  assert.strictEqual(unsaid.body.errors[0].path, "url")
                  assert.match(unsaid.body.errors[0].message, /the next item replies to it/)
                  const seen = (yield* sandbox.publications(name))[place]!
                  const said = yield* confirm({ published: true, url: `${sandbox.url}/posts/${seen.id}` })
                  assert.strictEqual(said.body.failed_items, 2 - place)
                  assert.strictEqual(said.body.error.code, "chain_stopped")
                }
              } else {
                yield* confirm({ published: false })
                standsAt(yield* settled(id), place, "failed", "confirmed_not_published")
              }
              const retried = yield* service.call("POST", `/v1/posts/${id}/retry`, {})
              assert.strictEqual(retried.status, live && place === 2 ? 409 : 200)
              yield* isWhole(name, id)
            })
          )
      )
    }
  }
)
