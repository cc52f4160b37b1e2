import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { receiver, until } from "@carillon/testing/Receiver"
import { startService } from "@carillon/testing/ServiceProcess"
import * as TestDirectory from "@carillon/testing/TestDirectory"

interface Span {
  readonly name: string
  readonly events: ReadonlyArray<unknown>
  readonly attributes: ReadonlyArray<{
    readonly key: string
    readonly value: { readonly stringValue?: string }
  }>
}

it.live(
  "spans of requests and their statements go to the collector that the environment names, without credentials",
  () =>
    Effect.gen(function* () {
      const collector = yield* receiver()
      const telegram = yield* receiver(() => 400)
      const headers = join(yield* TestDirectory.make, "headers")
      writeFileSync(headers, "authorization=Bearer%20collector\n")
      const service = yield* startService({
        env: {
          OTEL_EXPORTER_OTLP_HEADERS_FILE: headers,
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_BSP_SCHEDULE_DELAY: "100",
          TELEGRAM_API_URL: telegram.url
        }
      })
      const spans = (): ReadonlyArray<Span> =>
        collector.received.flatMap(({ body }) =>
          JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: any) =>
            scopeSpans.flatMap((scope: any) => scope.spans)
          )
        )
      const told = (key: string, value: string) =>
        spans().some(({ attributes }) =>
          attributes.some((one) => one.key === key && one.value.stringValue === value)
        )
      const reserved = yield* service.call("POST", "/v1/media/create-upload-url", {
        name: "a.png",
        mime_type: "image/png",
        size_bytes: 8
      })
      const signature = new URL(reserved.body.upload_url).searchParams.get("signature")!
      assert.isAbove(signature.length, 20)
      yield* service.call("PUT", reserved.body.upload_url, "12345678")
      assert.strictEqual((yield* service.call("GET", "/v1/posts")).status, 200)
      // The token is in the path of the call, which is refused.
      const bot_token = "123456:AAFsecretSecretSecretSecretSecretSec"
      yield* service.call("POST", "/v1/social-accounts", {
        platform: "telegram",
        credentials: { bot_token, chat: "@bells" }
      })
      yield* until(
        () =>
          told("http.route", "/v1/posts") &&
          told("db.system.name", "postgresql") &&
          spans().some(({ name, events }) => name === "POST" && events.length > 0)
      )
      assert.strictEqual(collector.received[0]!.headers["authorization"], "Bearer collector")
      const exported = collector.received.map(({ body }) => body).join()
      assert.notInclude(exported, service.key)
      assert.notInclude(exported, signature)
      assert.lengthOf(telegram.received, 1)
      assert.notInclude(exported, bot_token)
      assert.include(exported, "HttpClientError")
    }).pipe(Effect.scoped)
)
