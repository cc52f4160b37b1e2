import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { InProcessService } from "../contract/InProcessService.ts"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

/** A guess at a key, by way of these addresses as X-Forwarded-For tells them. */
const guess = (url: string, forwardedFor: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/v1/profile`, {
      headers: { authorization: "Bearer nonsense", "x-forwarded-for": forwardedFor }
    })
    return { status: answer.status, detail: ((await answer.json()) as any).detail as string }
  })

const [client, other, spoofed] = ["198.51.100.7", "198.51.100.8", "203.0.113.1"]

layer(
  InProcessService.layer({
    TRUSTED_PROXIES: "10.0.0.0/8, 127.0.0.1/32",
    RATE_LIMIT_FAILED_AUTHENTICATIONS: "2"
  }),
  {
    excludeTestServices: true,
    timeout: "180 seconds"
  }
)("TRUSTED_PROXIES", (it) => {
  it.effect("the client's address is what the proxies of TRUSTED_PROXIES say, and nobody before them", () =>
    Effect.gen(function* () {
      const { url } = yield* InProcessService
      assert.strictEqual((yield* guess(url, client)).status, 401)
      // The proxy in front and one behind it; what the client itself wrote stands before its address.
      assert.strictEqual((yield* guess(url, `${spoofed}, ${client}, 10.1.2.3`)).status, 401)
      const third = yield* guess(url, `${other}, ${client}`)
      assert.strictEqual(third.status, 429)
      assert.include(third.detail, client)
      assert.strictEqual((yield* guess(url, other)).status, 401)
      assert.strictEqual((yield* guess(url, spoofed)).status, 401)
    })
  )
})

layer(SharedService, { excludeTestServices: true, timeout: "60 seconds" })("an idle connection", (it) => {
  it.effect("an idle connection is kept for longer than proxies keep theirs", () =>
    Effect.gen(function* () {
      const { url } = yield* Service
      const answer = yield* Effect.promise(() => fetch(`${url}/healthz`))
      assert.strictEqual(answer.headers.get("keep-alive"), "timeout=75")
    })
  )
})

layer(Service.layer({ env: { TRUSTED_PROXIES: "10.0.0.0/8", RATE_LIMIT_FAILED_AUTHENTICATIONS: "2" } }), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("whoever is none of TRUSTED_PROXIES", (it) => {
  it.effect(
    "a proxy that is none of TRUSTED_PROXIES does not choose its address, and the log says once why",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        for (const address of [client, other]) {
          assert.strictEqual((yield* guess(service.url, address)).status, 401)
        }
        const third = yield* guess(service.url, spoofed)
        assert.strictEqual(third.status, 429)
        assert.include(third.detail, "127.0.0.1")
        const warnings = service
          .output()
          .match(/x-forwarded-for, but TRUSTED_PROXIES does not name that address/g)
        assert.lengthOf(warnings ?? [], 1)
      })
  )

  it.effect(
    "whoever is none of TRUSTED_PROXIES is served with a good key, however many bad ones came from its address",
    () =>
      Effect.gen(function* () {
        const { call, url } = yield* Service
        for (const address of [client, other, spoofed]) yield* guess(url, address)
        assert.strictEqual((yield* guess(url, client)).status, 429)
        assert.strictEqual((yield* call("GET", "/v1/profile")).status, 200)
        assert.strictEqual((yield* call("GET", "/mcp")).status, 405)
      })
  )
})
