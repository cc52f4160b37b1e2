import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { statSync } from "node:fs"
import { rename } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import {
  authorizePath,
  callWith,
  consentPage,
  followToApp,
  pkce,
  promised,
  redirect,
  refresh,
  register,
  signedInBrowser,
  tickedOf,
  token
} from "@carillon/testing/OAuthBrowser"
import { readEvents } from "@carillon/testing/EventReader"
import { connect, create, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { Service, startService } from "@carillon/testing/ServiceProcess"
import { kind } from "@carillon/testing/TestSql"

const get = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

/** The first answer that there is. */
const firstAnswer = (url: string) =>
  Effect.tryPromise(() => fetch(url)).pipe(
    Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 20_000 }),
    Effect.flatMap((response) =>
      Effect.promise(async () => ({ response, body: JSON.parse(await response.text()) }))
    ),
    Effect.orDie
  )

/** A sample of the metrics, 0 where there is none. */
const sample = (text: string, name: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? 0
  )

const siteFile = "tiktokAbC.txt=tiktok-developers-site-verification=AbC"

layer(ServiceWithSandbox({ env: { METRICS_TOKEN: "scrape-me", SITE_FILES: siteFile, LOG_LEVEL: "debug" } }), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("the service as its operator sees it", (it) => {
  it.effect("serves the file by which a platform sees whose site it is", () =>
    Effect.gen(function* () {
      const { url } = yield* Service
      const file = yield* get(`${url}/tiktokAbC.txt`)
      assert.deepStrictEqual([file.status, file.text], [200, "tiktok-developers-site-verification=AbC"])
      assert.strictEqual((yield* get(`${url}/tiktokOther.txt`)).status, 404)
    })
  )

  it.effect("tells a language model where things are and what can be asked", () =>
    Effect.gen(function* () {
      const { url } = yield* Service
      const { status, text } = yield* get(`${url}/llms.txt`)
      assert.strictEqual(status, 200)
      assert.match(text, /^# Carillon\n\n> /)
      const { paths } = JSON.parse((yield* get(`${url}/v1/openapi.json`)).text)
      for (const [path, item] of Object.entries(paths)) {
        for (const method of Object.keys(item as object)) {
          assert.include(text, `- \`${method.toUpperCase()} ${path}\`: `)
        }
      }
      const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link]) => link!)
      assert.lengthOf(links, 4)
      for (const link of links) assert.strictEqual((yield* get(link)).status, 200, link)
    })
  )

  it.effect("shows its metrics to who has the token, and counts what it does", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const refused = yield* get(`${service.url}/metrics`)
      assert.deepStrictEqual([refused.status, JSON.parse(refused.text).code], [401, "unauthorized"])
      const scrape = Effect.map(
        get(`${service.url}/metrics`, { authorization: "Bearer scrape-me" }),
        ({ text }) => text
      )
      const sandbox = yield* SandboxProcess
      const accounts = [yield* connect("metrics-a"), yield* connect("metrics-none")]
      yield* sandbox.script("metrics-none", [{ on: "post", fault: "effect_then_lost_reply" }])
      yield* settled((yield* create({ social_accounts: accounts, caption: "Counted" })).id)
      yield* create({ social_accounts: accounts, caption: "Later", scheduled_at: "2100-01-01T00:00:00Z" })

      // What is counted is counted when it is stored, a moment after it can be read.
      const text = yield* Effect.repeat(scrape, {
        until: (one) =>
          sample(one, "carillon_lateness_seconds_count") === 1 &&
          sample(one, 'carillon_attempts_total{platform="sandbox",outcome="ambiguous"}') === 1,
        schedule: Schedule.spaced("20 millis"),
        times: 3000
      })
      assert.strictEqual(sample(text, 'carillon_targets{state="waiting"}'), 2)
      assert.strictEqual(sample(text, 'carillon_targets{state="claimed"}'), 0)
      assert.strictEqual(sample(text, "carillon_queue_age_seconds"), 0)
      assert.strictEqual(sample(text, "carillon_claims_total"), 2)
      assert.strictEqual(sample(text, "carillon_lease_takeovers_total"), 0)
      assert.strictEqual(sample(text, 'carillon_targets_settled_total{state="published"}'), 1)
      assert.strictEqual(sample(text, 'carillon_targets_settled_total{state="unconfirmed"}'), 1)
      assert.strictEqual(
        sample(text, 'carillon_attempts_total{platform="sandbox",outcome="published"}'),
        1,
        text
      )
      assert.strictEqual(
        sample(text, 'carillon_attempts_total{platform="sandbox",outcome="ambiguous"}'),
        1,
        text
      )
      assert.strictEqual(sample(text, "carillon_lateness_seconds_count"), 1)
      assert.strictEqual(sample(text, 'carillon_lateness_seconds_bucket{le="30"}'), 1)
      assert.strictEqual(
        sample(text, 'carillon_http_requests_total{method="POST",route="/v1/posts",status="201"}') +
          sample(text, 'carillon_http_requests_total{method="POST",route="/v1/posts/",status="201"}'),
        2,
        text
      )
      assert.strictEqual(
        sample(text, 'carillon_http_requests_total{method="GET",route="/metrics",status="401"}'),
        1
      )
    })
  )

  it.effect(
    "keeps what it generates into DATA_DIR for its owner alone, and hears LOG_LEVEL and LOG_FORMAT",
    () =>
      Effect.gen(function* () {
        const { dataDir, output } = yield* Service
        if (kind === "embedded") assert.strictEqual(statSync(join(dataDir, "secret")).mode & 0o777, 0o600)
        yield* create({ social_accounts: [yield* connect("logged")], caption: "Logged", is_draft: true })
        const line = output()
          .split("\n")
          .find((one) => one.includes("post created"))
        assert.include(JSON.stringify(JSON.parse(line!)), "post created")
        const quiet = yield* startService({ env: { LOG_FORMAT: "pretty", LOG_LEVEL: "error" } })
        yield* quiet.call("GET", "/v1/nowhere")
        assert.notMatch(quiet.output(), /^\{/m)
        assert.notMatch(quiet.output(), /INFO|DEBUG/)
      })
  )

  it.effect("the service is ready when its database and its media store answer", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const ready = get(`${service.url}/readyz`)
      assert.strictEqual((yield* ready).status, 200)
      const media = join(service.dataDir, "media")
      yield* Effect.promise(() => rename(media, `${media}-away`))
      const without = yield* ready
      yield* Effect.promise(() => rename(`${media}-away`, media))
      assert.deepStrictEqual([without.status, without.headers.get("retry-after")], [503, "5"])
      assert.match(JSON.parse(without.text).detail, /media store/)
      assert.strictEqual((yield* ready).status, 200)
    })
  )

  it.effect("goes on with an app that connects where it was when it was killed in the middle", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url } = service
      const browser = yield* promised(() => signedInBrowser(service))
      const { verifier, challenge } = pkce()
      const { body } = yield* promised(() => register(url))
      const asked = {
        client_id: body.client_id,
        redirect_uri: redirect,
        code_challenge: challenge,
        code_challenge_method: "S256",
        resource: `${url}/v1`
      }
      const again = Effect.andThen(service.kill, service.start)
      const page = yield* promised(() => consentPage(browser, authorizePath(asked)))
      yield* again
      const answered = yield* promised(() =>
        browser.post(page.path, page.html, [...tickedOf(page.html), ["decision", "allow"]])
      )
      yield* again
      const back = yield* promised(() => followToApp(browser, answered))
      const exchanged = yield* promised(() =>
        token(url, {
          grant_type: "authorization_code",
          client_id: body.client_id,
          code: back.searchParams.get("code")!,
          redirect_uri: redirect,
          code_verifier: verifier
        })
      )
      assert.strictEqual(exchanged.status, 200)
      assert.strictEqual((yield* promised(() => callWith(url, exchanged.body.access_token))).status, 200)
      const renewed = yield* promised(() => refresh(url, body, exchanged.body.refresh_token))
      yield* again
      // The app never saw the answer, and asks with the old one.
      const repeated = yield* promised(() => refresh(url, body, exchanged.body.refresh_token))
      assert.deepStrictEqual([renewed.status, repeated.status], [200, 200])
      const { expires_in: left, ...same } = repeated.body
      const { expires_in: lasts, ...tokens } = renewed.body
      assert.deepStrictEqual(same, tokens)
      assert.isBelow(left, lasts)
    })
  )

  it.effect("says that it starts while it does, and that it stops, and finishes what is under way", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const anew = Effect.gen(function* () {
        yield* service.kill
        const started = yield* Effect.forkChild(service.start, { startImmediately: true })
        const first = yield* firstAnswer(`${service.url}/v1/posts`)
        assert.strictEqual((yield* get(`${service.url}/healthz`)).status, 200)
        yield* Fiber.join(started)
        return first
      })
      // Whoever asks only when it has started is answered as ever; this process may have stood still.
      const { response, body } = yield* Effect.repeat(anew, {
        until: ({ response: { status } }) => status !== 401,
        times: 4
      })
      assert.deepStrictEqual([response.status, body.code], [503, "unavailable"])
      assert.match(body.detail, /starting/)
      assert.strictEqual(response.headers.get("retry-after"), "1")
      assert.strictEqual(response.headers.get("x-request-id"), body.request_id)
      assert.strictEqual((yield* get(`${service.url}/readyz`)).status, 200)

      // A request whose body is still on its way when the service is told to stop.
      const caption = JSON.stringify({
        social_accounts: [yield* connect("late-body")],
        caption: "Under way",
        is_draft: true
      })
      const sending = request(`${service.url}/v1/posts`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${service.key}`,
          "content-type": "application/json",
          "content-length": caption.length
        }
      })
      const answered = Promise.withResolvers<number>()
      sending.on("response", (answer) => {
        answer.resume()
        answered.resolve(answer.statusCode!)
      })
      sending.on("error", answered.reject)
      yield* Effect.promise(
        () => new Promise<void>((resolve) => sending.write(caption.slice(0, 10), () => resolve()))
      )
      // The service has begun with it once it has answered one that came after it on another connection.
      yield* get(`${service.url}/healthz`)
      const stream = yield* readEvents(service)
      const exited = yield* Effect.forkChild(service.terminate, { startImmediately: true })
      const refused = yield* get(`${service.url}/readyz`).pipe(
        Effect.filterOrFail(({ status }) => status === 503),
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 5000 })
      )
      assert.match(JSON.parse(refused.text).detail, /stopping/)
      // To its end, while other requests are under way.
      assert.isTrue(yield* stream.ended)
      sending.end(caption.slice(10))
      assert.strictEqual(yield* Effect.promise(() => answered.promise), 201)
      assert.strictEqual(yield* Fiber.join(exited), 0)
    })
  )
})
