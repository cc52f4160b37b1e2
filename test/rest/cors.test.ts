import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { InProcessService } from "../contract/InProcessService.ts"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const [page, other] = ["https://app.example", "https://evil.example"]

const askAt = Effect.fnUntraced(function* (
  url: string,
  path: string,
  origin: string | undefined,
  init: RequestInit = {}
) {
  return yield* Effect.promise(async () => {
    const headers = { ...(origin === undefined ? {} : { origin }), ...init.headers }
    const answer = await fetch(url + path, { ...init, headers })
    await answer.text()
    return { status: answer.status, allowed: answer.headers.get("access-control-allow-origin"), answer }
  })
})

const ask = (...request: [path: string, origin: string | undefined, init?: RequestInit]) =>
  Effect.flatMap(InProcessService, ({ url }) => askAt(url, ...request))

const preflight = {
  method: "OPTIONS",
  headers: { "access-control-request-method": "PUT", "access-control-request-headers": "authorization" }
}

const options = { excludeTestServices: true, timeout: "180 seconds" } as const

layer(InProcessService.layer({ CORS_ORIGINS: `${page}, http://localhost:5173` }), options)(
  "CORS_ORIGINS",
  (it) => {
    it.effect("lets the pages it names call the API, and reads them what the SDK needs, refusals too", () =>
      Effect.gen(function* () {
        const asked = yield* ask("/v1/posts", page, preflight)
        assert.deepStrictEqual([asked.status, asked.allowed], [204, page])
        assert.include(asked.answer.headers.get("access-control-allow-methods"), "PUT")
        assert.include(
          asked.answer.headers.get("access-control-allow-headers")?.toLowerCase(),
          "idempotency-key"
        )
        for (const path of ["/v1/posts", "/v1/nothing", "/post-bridge/v1/posts"]) {
          const { allowed, answer, status } = yield* ask(path, page)
          assert.deepStrictEqual([status, allowed], [path === "/v1/nothing" ? 404 : 401, page])
          assert.include(answer.headers.get("access-control-expose-headers")?.toLowerCase(), "etag")
          assert.isNull(answer.headers.get("access-control-allow-credentials"))
          assert.include(answer.headers.get("vary")?.toLowerCase(), "origin")
        }
      })
    )

    it.effect("lets no other page, and none call the pages where people sign in", () =>
      Effect.gen(function* () {
        assert.isNull((yield* ask("/v1/posts", other, preflight)).allowed)
        assert.isNull((yield* ask("/v1/posts", other)).allowed)
        for (const path of ["/sign-in", "/device", "/healthz", "/v1"]) {
          assert.isNull((yield* ask(path, page, { redirect: "manual" })).allowed, path)
        }
      })
    )
  }
)

layer(InProcessService.layer({ CORS_ORIGINS: "*" }), options)("CORS_ORIGINS=*", (it) => {
  it.effect("lets every page, with a credential of its own and not with the session of a member", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask("/v1/posts", other)).allowed, other)
      const headers = { ...preflight.headers, "access-control-request-headers": "carillon-workspace" }
      const { answer } = yield* ask("/v1/posts", other, { ...preflight, headers })
      assert.notInclude(answer.headers.get("access-control-allow-headers")?.toLowerCase(), "carillon")
      assert.isNull(answer.headers.get("access-control-allow-credentials"))
    })
  )
})

layer(SharedService, options)("without CORS_ORIGINS", (it) => {
  it.effect("no page is let", () =>
    Effect.gen(function* () {
      const { url } = yield* Service
      assert.isNull((yield* askAt(url, "/v1/posts", page)).allowed)
      const asked = yield* askAt(url, "/v1/posts", page, preflight)
      assert.deepStrictEqual([asked.status, asked.allowed], [405, null])
    })
  )
})
