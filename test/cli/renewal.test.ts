import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { statSync } from "node:fs"
import { createServer, request } from "node:http"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { beginWith, home } from "@carillon/testing/CliHome"
import {
  answerDevice,
  beginDevice,
  pollDevice,
  promised,
  signedInBrowser
} from "@carillon/testing/OAuthBrowser"
import { connect, ServiceWithSandbox } from "@carillon/testing/Publishing"
import { until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"

/** Stands between the command line and the service, and refuses a token from when it is told to. */
const between = Effect.fnUntraced(function* (service: string) {
  const seen: Array<string> = []
  const refused = new Set<string>()
  const refuses = Promise.withResolvers<void>()
  const looks = () => seen.filter((one) => /^GET \/v1\/posts\/[\w-]+$/.test(one)).length
  const server = createServer(async (incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`)
    // Who watches a post comes again when it is due, and has to find its token refused by then.
    if (looks() > 1) await refuses.promise
    if (refused.has(incoming.headers.authorization?.slice("Bearer ".length) ?? "")) {
      const body = { code: "unauthorized", status: 401, message: "The credential has expired.", errors: [] }
      outgoing.writeHead(401, { "content-type": "application/problem+json" }).end(JSON.stringify(body))
      incoming.resume()
      return
    }
    const { headers, method = "GET", url = "/" } = incoming
    const onward = request(new URL(url, service), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on("error", () => outgoing.destroy())
    incoming.pipe(onward)
  })
  const { port } = yield* listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    refuse: (token: string) => {
      refused.add(token)
      refuses.resolve()
    },
    renewals: () => seen.filter((one) => one === "POST /oauth/token").length,
    isWatched: () => looks() > 0
  }
})

/** Made before the cases sign in side by side. */
const owner = Layer.effectDiscard(
  Effect.flatMap(Service, (service) => promised(() => signedInBrowser(service)))
)

layer(Layer.provideMerge(owner, ServiceWithSandbox({ env: { OAUTH_REFRESH_GRACE: "1 millis" } })), {
  excludeTestServices: true,
  concurrent: true
})("a sign-in, while a command runs for long,", (it) => {
  /** A home with a sign-in, and a command in it that waits for a post. */
  const watching = Effect.fnUntraced(function* (username: string) {
    const service = yield* Service
    const own = yield* home
    const account = yield* connect(username)
    const tokens = yield* promised(async () => {
      const { device_code, user_code } = await beginDevice(service.url)
      await answerDevice(await signedInBrowser(service), user_code, "allow")
      return (await pollDevice(service.url, device_code)).body
    })
    const way = yield* between(service.url)
    own.keep(way.url, tokens)
    const there = { CARILLON_URL: way.url }
    const to = ["--to", String(account)]
    const terminal = yield* beginWith(there, own, "post", "Long", ...to, "--at", "+4s", "--wait")
    yield* until(way.isWatched)
    return { own, terminal, there, tokens, way }
  })

  it.effect(
    "a sign-in, while a command runs for long, is renewed once when its token is refused, and the command goes on",
    () =>
      Effect.gen(function* () {
        const { own, terminal, tokens, way } = yield* watching("renewed")
        assert.strictEqual(way.renewals(), 0)
        way.refuse(tokens.access_token)
        assert.strictEqual(yield* terminal.ended, 0, terminal.screen())
        assert.strictEqual(way.renewals(), 1)
        assert.notStrictEqual(own.tokens().refresh_token, tokens.refresh_token)
        assert.strictEqual(statSync(own.config).mode & 0o777, 0o600)
      })
  )

  it.effect(
    "a sign-in, while a command runs for long, is taken over from a command that renewed it, instead of the exchanged token used again",
    () =>
      Effect.gen(function* () {
        const { own, terminal, there, tokens, way } = yield* watching("taken-over")
        own.runOut()
        const other = yield* beginWith(there, own, "whoami")
        assert.strictEqual(yield* other.ended, 0, other.screen())
        assert.strictEqual(way.renewals(), 1)
        const renewed = own.tokens()
        assert.notStrictEqual(renewed.refresh_token, tokens.refresh_token)
        way.refuse(tokens.access_token)
        assert.strictEqual(yield* terminal.ended, 0, terminal.screen())
        assert.strictEqual(way.renewals(), 1)
        assert.deepStrictEqual(own.tokens(), renewed)
        const after = yield* beginWith(there, own, "whoami")
        assert.strictEqual(yield* after.ended, 0, after.screen())
      })
  )
})
