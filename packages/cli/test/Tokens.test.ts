import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { changeProfiles, configPath } from "@carillon/cli/Config"
import { tokenSource } from "@carillon/cli/Tokens"

const exchanged: Array<string | null> = []
let answer: (response: ServerResponse) => void
const service = createServer(async (request, response) => {
  exchanged.push(new URLSearchParams(await text(request)).get("refresh_token"))
  answer(response)
})
let url: string
const home = mkdtempSync(join(tmpdir(), "carillon-tokens-"))
const env = { XDG_CONFIG_HOME: home }

const gives = (name: string) => (response: ServerResponse) =>
  response.end(
    JSON.stringify({ access_token: `at-${name}`, refresh_token: `rt-${name}`, expires_in: 43_200 })
  )

const lasting = (name: string, minutes: number) => ({
  access_token: `at-${name}`,
  refresh_token: `rt-${name}`,
  expires_at: new Date(Date.now() + minutes * 60_000).toISOString()
})
type Tokens = ReturnType<typeof lasting>

const keep = (tokens: Tokens) => changeProfiles(env, () => ({ default: { url, tokens } }))
const kept = () => JSON.parse(readFileSync(configPath(env), "utf8")).profiles.default?.tokens as Tokens
const begun = (tokens: Tokens) => {
  keep(tokens)
  return tokenSource(env, url, { profile: "default", tokens })
}

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => {
  service.close()
  rmSync(home, { recursive: true })
})
beforeEach(() => {
  exchanged.length = 0
  answer = gives("new")
})

describe("the tokens of a sign-in", () => {
  it("the tokens of a sign-in are used as they are while they last", async () => {
    assert.strictEqual(await begun(lasting("old", 6))(), "at-old")
    assert.deepStrictEqual(exchanged, [])
  })

  it("the tokens of a sign-in are renewed a little before their end, and kept for their owner alone", async () => {
    assert.strictEqual(await begun(lasting("old", 4))(), "at-new")
    assert.strictEqual(kept().refresh_token, "rt-new")
    assert.strictEqual(statSync(configPath(env)).mode & 0o777, 0o600)
  })

  it("the tokens of a sign-in are renewed once by requests that find out at once, and not for a token that was replaced already", async () => {
    const token = begun(lasting("old", 60))
    const all = await Promise.all([token("at-old"), token("at-old"), token("at-old")])
    assert.deepStrictEqual(all, ["at-new", "at-new", "at-new"])
    assert.strictEqual(await token("at-old"), "at-new")
    assert.deepStrictEqual(exchanged, ["rt-old"])
  })

  it("the tokens of a sign-in are those that another command kept meanwhile, where these last", async () => {
    const token = begun(lasting("old", 60))
    keep(lasting("other", 60))
    assert.strictEqual(await token("at-old"), "at-other")
    assert.deepStrictEqual(exchanged, [])
    keep(lasting("third", 1))
    assert.strictEqual(await token("at-other"), "at-new")
    assert.deepStrictEqual(exchanged, ["rt-third"])
  })

  it("the tokens of a sign-in do not replace those that somebody kept during the renewal", async () => {
    const token = begun(lasting("old", 1))
    answer = (response) => {
      keep(lasting("login", 60))
      gives("new")(response)
    }
    assert.strictEqual(await token(), "at-new")
    assert.strictEqual(kept().refresh_token, "rt-login")
  })

  it("the tokens of a sign-in are over when they were forgotten, or are refused for good", async () => {
    const forgotten = begun(lasting("old", 1))
    changeProfiles(env, () => ({}))
    const over = await forgotten().catch((error: unknown) => error)
    assert.include(String(over), "The sign-in has ended")
    assert.deepStrictEqual(exchanged, [])
    answer = (response) => response.writeHead(400).end(JSON.stringify({ error: "invalid_grant" }))
    const refused = await begun(lasting("old", 1))().catch((error: unknown) => error)
    assert.include(String(refused), "The sign-in has ended")
    assert.strictEqual(kept().refresh_token, "rt-old")
  })

  it("the tokens of a sign-in can be kept although a command was killed while it kept some", async () => {
    const token = begun(lasting("old", 1))
    const lock = `${configPath(env)}.lock`
    writeFileSync(lock, "")
    const longAgo = new Date(Date.now() - 10_000)
    utimesSync(lock, longAgo, longAgo)
    assert.strictEqual(await token(), "at-new")
    assert.strictEqual(kept().refresh_token, "rt-new")
    assert.isFalse(existsSync(lock))
  })
})
