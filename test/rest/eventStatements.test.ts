import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { readEvents } from "@carillon/testing/EventReader"
import { callsWith } from "@carillon/testing/ServiceProcess"
import { InProcessService } from "../contract/InProcessService.ts"

const spans: Array<Tracer.NativeSpan> = []
const noting = Tracer.make({
  span: (options) => {
    const span = new Tracer.NativeSpan(options)
    spans.push(span)
    return span
  }
})

/** The statements of a request that look for whoever asks, or store events. */
const statementsOf = <A>(request: Effect.Effect<A>) =>
  Effect.gen(function* () {
    const before = spans.length
    yield* request
    const mine = spans.slice(before)
    const served = mine.find(({ kind }) => kind === "server")!
    return mine.flatMap(({ attributes, traceId }) => {
      const text = String(attributes.get("db.query.text"))
      return traceId === served.traceId && /\b(webhooks|listeners|events)\b/.test(text) ? [text] : []
    })
  })

layer(InProcessService.layer().pipe(Layer.provide(Layer.succeed(Tracer.Tracer, noting))), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("the events of a change", (it) => {
  it.effect("cost no statement where nobody asks for them", () =>
    Effect.gen(function* () {
      const { makeKey, url, workspace } = yield* InProcessService
      const key = yield* Effect.promise(() => makeKey(workspace, ["admin"]))
      const service = { url, ...callsWith(url, key) }
      const changes = Effect.gen(function* () {
        const { body: account } = yield* service.call("POST", "/v1/social-accounts", {
          platform: "sandbox",
          credentials: { username: `told_${performance.now()}`.replace(".", "_"), password: "sandbox" }
        })
        const { body: post } = yield* service.call("POST", "/v1/posts", {
          social_accounts: [account.id],
          caption: "Hello",
          is_draft: true
        })
        return {
          update: yield* statementsOf(service.call("PATCH", `/v1/posts/${post.id}`, { caption: "Bye" })),
          delete: yield* statementsOf(service.call("DELETE", `/v1/posts/${post.id}`)),
          disconnect: yield* statementsOf(service.call("DELETE", `/v1/social-accounts/${account.id}`))
        }
      })
      const unheard = yield* changes
      for (const [only, ...others] of Object.values(unheard)) {
        assert.match(only!, /(update|delete from) (posts|social_accounts)\b/)
        assert.lengthOf(others, 0)
      }
      yield* readEvents(service)
      const heard = yield* changes
      assert.deepStrictEqual(
        Object.values(heard).map(({ length }) => length),
        [2, 2, 2]
      )
    })
  )
})
