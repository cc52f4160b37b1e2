import { httpFetch } from "@carillon/cli/HttpFetch"
import { Carillon, ConnectionError, InvalidRequestError } from "@carillon/sdk"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { inspect } from "node:util"
import { type Manner, refusingProxy, type VagueManner } from "./RefusingProxy.ts"

let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
const server = createServer((request, response) => answer(request, response))
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => server.close())

const client = () => new Carillon({ apiKey: "crl_key", baseUrl: url(), fetch: httpFetch, maxRetries: 0 })
const reserved = () => ({
  media_id: "m",
  upload_url: `${url()}/put`,
  complete_url: `${url()}/complete`,
  name: "a.png",
  expires_at: "2100-01-01T00:00:00.000Z"
})
const json = (response: ServerResponse, status: number, body: object) =>
  response
    .writeHead(status, { "content-type": "application/json", "x-request-id": "req_1" })
    .end(JSON.stringify(body))

describe.each([
  ["the command line's fetch", httpFetch],
  ["Node's own fetch", globalThis.fetch]
])("with %s an upload", (_, fetch) => {
  const large = 20_000_000
  const upload = (upload_url: string, size = large) => {
    answer = (_request, response) => json(response, 200, { ...reserved(), upload_url })
    return new Carillon({ apiKey: "crl_key", baseUrl: url(), fetch, maxRetries: 0 }).media
      .upload(new Blob([new Uint8Array(size)], { type: "image/png" }))
      .catch((thrown) => thrown)
  }

  it.each<Manner>(["closes", "keeps reading", "reads no more", "never ends its answer"])(
    "that a proxy refuses ends at once and says what the proxy has to take: one that then %s",
    async (manner) => {
      const proxy = await refusingProxy(manner)
      const error = await upload(`${proxy.url}/v1/media/m/upload?signature=secret`)
      assert.instanceOf(error, InvalidRequestError)
      assert.deepInclude(error, { code: "too_large_for_proxy", status: 413 })
      assert.match(error.message, /no body of 20000000 bytes\. Raise .*client_max_body_size/)
      assert.notInclude(inspect(error, { depth: 9 }), "secret")
      // Nothing is left that would keep a program running.
      await proxy.closed
      proxy.close()
    }
  )

  it.each<VagueManner>(["breaks the connection", "says 502"])(
    "that may be too large for a proxy tells its size and where the limit may be: one that %s",
    async (manner) => {
      const proxy = await refusingProxy(manner)
      const address = `${proxy.url}/v1/media/m/upload?signature=secret`
      const error = await upload(address)
      assert.strictEqual(error.name, manner === "says 502" ? "ServiceError" : "ConnectionError")
      assert.match(error.message, /Perhaps a proxy .* takes no body of 20000000 bytes\. Raise .*request_body/)
      assert.match(error.message, /the service or the connection to it is broken: try again later\.$/)
      assert.notInclude(inspect(error, { depth: 9 }), "secret")
      // No proxy has a limit as low as this unless it was asked for.
      assert.notInclude((await upload(address, 1000)).message, "proxy")
      proxy.close()
      // Nobody is there who could limit anything.
      await proxy.closed
      assert.notInclude((await upload(address)).message, "Perhaps")
    }
  )

  it.each([
    ["a page with status 403", () => ["text/html", 403] as const],
    ["JSON that is no problem", () => ["application/json", 400] as const],
    ["a success that is no JSON", () => ["text/html", 200] as const]
  ])("tells no signature of %s", async (_what, how) => {
    const [type, status] = how()
    const proxy = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(status, { "content-type": type }).end("<p>"))
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const { port } = proxy.address() as AddressInfo
    const error = await upload(`http://127.0.0.1:${port}/v1/media/m/upload?signature=secret`)
    assert.strictEqual(error.code, "unexpected_answer")
    assert.include(error.message, `http://127.0.0.1:${port}/v1/media/m/upload answered ${status}`)
    assert.notInclude(inspect(error, { depth: 9 }), "secret")
    proxy.close()
  })
})

it("an error tells no signature that a runtime's own error tells", async () => {
  answer = (_request, response) =>
    json(response, 200, { ...reserved(), upload_url: `${url()}/put?signature=secret` })
  const talkative: typeof globalThis.fetch = (input, init) =>
    String(input).includes("signature")
      ? Promise.reject(new TypeError(`error sending request for url (${String(input)})`))
      : httpFetch(input, init)
  const error = await new Carillon({
    apiKey: "crl_key",
    baseUrl: url(),
    fetch: talkative,
    maxRetries: 0
  }).media
    .upload(new Blob([new Uint8Array(5)], { type: "image/png" }))
    .catch((thrown) => thrown)
  assert.instanceOf(error, ConnectionError)
  assert.match(error.message, /got no answer: error sending request for url \(http:\S+\/put\)\.$/)
  assert.notInclude(inspect(error, { depth: 9 }), "secret")
})

describe("the HTTP client under the SDK", () => {
  it("sends and answers as fetch does", async () => {
    answer = async (request, response) =>
      json(response, 201, {
        method: request.method,
        key: request.headers.authorization,
        body: await text(request)
      })
    const post: unknown = await client().posts.create({ social_accounts: [1], caption: "Grüße 🔔" })
    assert.deepStrictEqual(post, {
      method: "POST",
      key: "Bearer crl_key",
      body: '{"social_accounts":[1],"caption":"Grüße 🔔"}'
    })
  })

  it("streams an upload of the announced size", async () => {
    let received = 0
    answer = async (request, response) => {
      if (request.url === "/put") for await (const piece of request) received += piece.length
      json(
        response,
        200,
        request.url === "/put" || request.url!.endsWith("complete") ? { id: "m" } : reserved()
      )
    }
    const seen: Array<number> = []
    await client().media.upload(new Blob([new Uint8Array(3_000_000)], { type: "image/png" }), {
      onProgress: ({ sent }) => seen.push(sent)
    })
    assert.strictEqual(received, 3_000_000)
    assert.strictEqual(seen.at(-1), 3_000_000)
  })

  it("hears the refusal of an upload that is not read to its end", async () => {
    answer = (request, response) => {
      if (request.url !== "/put") return json(response, 200, reserved())
      json(response, 422, {
        code: "media_type_mismatch",
        detail: "It is no PNG.",
        errors: [],
        request_id: "req_1"
      })
      response.once("finish", () => setImmediate(() => request.socket.destroy()))
    }
    const error = await client()
      .media.upload(new Blob([new Uint8Array(20_000_000)], { type: "image/png" }))
      .catch((thrown) => thrown)
    assert.instanceOf(error, InvalidRequestError)
    assert.strictEqual(error.code, "media_type_mismatch")
  })

  it("says why there is no answer", async () => {
    answer = (request) => request.socket.destroy()
    const broken = await client()
      .profile.get()
      .catch((thrown) => thrown)
    assert.instanceOf(broken, ConnectionError)
    assert.include(broken.message, "ECONNRESET")
    const nobody = new Carillon({
      apiKey: "x",
      baseUrl: "http://localhost:9",
      fetch: httpFetch,
      maxRetries: 0
    })
    assert.include((await nobody.profile.get().catch((thrown) => thrown)).message, "ECONNREFUSED")
  })

  it("gives up when it is told to", async () => {
    const waiting = Promise.withResolvers<void>()
    answer = () => waiting.resolve()
    const given = new AbortController()
    const asked = client()
      .profile.get({ signal: given.signal })
      .catch((thrown) => thrown)
    await waiting.promise
    given.abort(new Error("enough"))
    assert.strictEqual((await asked).message, "enough")
  })

  it("takes its key to no place that it is redirected to", async () => {
    const asked: Array<string> = []
    answer = (request, response) => {
      asked.push(request.url!)
      response.writeHead(302, { location: "/elsewhere" }).end()
    }
    const error = await client()
      .profile.get()
      .catch((thrown) => thrown)
    assert.strictEqual(error.code, "unexpected_answer")
    assert.deepStrictEqual(asked, ["/v1/profile"])
  })
})
