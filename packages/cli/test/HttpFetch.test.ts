import { httpFetch } from "@carillon/cli/HttpFetch"
import { Carillon, ConnectionError, InvalidRequestError } from "@carillon/sdk"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

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
