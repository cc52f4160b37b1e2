import { run } from "@carillon/cli/Cli"
import type { Terminal } from "@carillon/cli/Terminal"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { refusingProxy } from "./RefusingProxy.ts"

const requests: Array<string> = []
const keys: Array<string | undefined> = []
/** Nobody's own configuration is read or written. */
const home = mkdtempSync(join(tmpdir(), "carillon-cli-"))
let answers: Record<string, readonly [status: number, body: unknown]> = {}

/** Answers what a test says; the tests against the real service are in test/cli/commands.test.ts at the root. */
const server = createServer(async (request, response) => {
  const body = await text(request)
  keys.push(request.headers.authorization)
  requests.push(`${request.method} ${request.url}${body === "" ? "" : ` ${body}`}`)
  const [status, answer] = answers[`${request.method} ${request.url!.split("?")[0]}`] ?? [404, {}]
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer))
})
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => {
  server.close()
  rmSync(home, { recursive: true, force: true })
})
beforeEach(() => {
  requests.length = 0
  keys.length = 0
})

interface Setting {
  readonly isTTY?: boolean
  readonly env?: Record<string, string>
  readonly input?: string
}

const carillon = async (args: ReadonlyArray<string>, { env, input = "", isTTY = false }: Setting = {}) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  stdin.end(input)
  const stdout = Object.assign(new PassThrough(), { isTTY, columns: 72 })
  const stderr = new PassThrough()
  const terminal = {
    stdin,
    stdout,
    stderr,
    env: { HOME: home, NO_COLOR: "1", ...(env ?? { CARILLON_API_KEY: "crl_key", CARILLON_URL: url() }) }
  } as unknown as Terminal
  const exitCode = await run(args, terminal)
  stdout.end()
  stderr.end()
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) }
}

const listOf = (...data: ReadonlyArray<object>) => ({
  data,
  meta: { total: data.length, offset: 0, limit: 50, next: null }
})
const account = {
  id: 1,
  platform: "sandbox",
  username: "demo",
  display_name: "Demo\u001b[2J",
  status: "connected"
}
const problem = (status: number, code: string, errors: ReadonlyArray<object> = []) =>
  [status, { code, detail: `It is ${code}.`, errors, request_id: "req_1" }] as const

const towerProfile = {
  timezone: "UTC",
  workspace: { id: "w", name: "Tower" },
  scopes: [],
  credential: {
    type: "api_key",
    name: "bells",
    member: null,
    role: null,
    social_accounts: null,
    needs_approval: false,
    expires_at: null
  }
}

describe("the command line", () => {
  it("shows its help without a key, a service or an argument", async () => {
    for (const args of [[], ["--help"], ["help", "post"], ["accounts", "connect", "--help"]]) {
      const { exitCode, stderr, stdout } = await carillon(args, { env: {} })
      assert.deepInclude({ exitCode, stderr }, { exitCode: 0, stderr: "" })
      assert.match(stdout, /^Usage: carillon/)
    }
  })

  it("prints a table on a terminal and the service's JSON anywhere else or on demand", async () => {
    answers = { "GET /v1/social-accounts": [200, listOf(account)] }
    const table = await carillon(["accounts"], { isTTY: true })
    assert.strictEqual(
      table.stdout,
      "ID  PLATFORM  HANDLE  STATUS     NAME\n1   sandbox   @demo   connected  Demo[2J\n"
    )
    for (const [args, isTTY] of [
      [["accounts"], false],
      [["accounts", "--json"], true],
      [["--json", "accounts"], true]
    ] as const) {
      assert.deepStrictEqual(JSON.parse((await carillon(args, { isTTY })).stdout), listOf(account))
    }
  })

  it("says in the table when an account's access ends within a week", async () => {
    const access_expires_at = new Date(Date.now() + 3 * 86_400_000).toISOString()
    answers = { "GET /v1/social-accounts": [200, listOf({ ...account, access_expires_at })] }
    const { stdout } = await carillon(["accounts"], { isTTY: true })
    assert.include(stdout, `connected, ends ${access_expires_at.slice(0, 10)}`)
  })

  it("warns in doctor of an access that ends within a week, and not of a token that is renewed before", async () => {
    const hence = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const ends = { ...account, username: "ends", access_expires_at: hence(3), token_expires_at: hence(60) }
    const renewed = { ...account, access_expires_at: hence(60), token_expires_at: hence(0.05) }
    answers = {
      "GET /readyz": [200, { status: "ready" }],
      "GET /v1/profile": [200, towerProfile],
      "GET /v1/social-accounts": [200, listOf(ends, renewed)]
    }
    const { stdout } = await carillon(["doctor"])
    const { checks } = JSON.parse(stdout)
    assert.deepStrictEqual(
      checks.filter(({ level }: { level: string }) => level === "warning"),
      [
        {
          check: "sandbox/@ends",
          level: "warning",
          ok: true,
          found: `its access ends on ${ends.access_expires_at.slice(0, 10)}`,
          advice: "Connect it again: carillon accounts connect sandbox."
        }
      ]
    )
  })

  it("says on a terminal that there is nothing, and what to do about it", async () => {
    answers = { "GET /v1/posts": [200, listOf()] }
    const { stderr, stdout } = await carillon(["posts"], { isTTY: true })
    assert.strictEqual(stdout, "")
    assert.include(stderr, 'No posts. Create one with: carillon post "Hello"')
  })

  it("chooses an account's default board, and clears it", async () => {
    const choose = async (board: string, chosen: string | null) => {
      answers = {
        "GET /v1/social-accounts": [200, listOf({ ...account, platform: "pinterest" })],
        "PATCH /v1/social-accounts/1": [200, { ...account, platform: "pinterest", default_board_id: chosen }]
      }
      const args = ["accounts", "set", "pinterest", "--default-board", board]
      return (await carillon(args, { isTTY: true })).stdout
    }
    assert.strictEqual(await choose("5497", "5497"), "Default board of 1 (pinterest/@demo): 5497\n")
    assert.strictEqual(
      await choose("none", null),
      "Default board of 1 (pinterest/@demo): none; posts without a board are refused\n"
    )
    assert.deepStrictEqual(
      requests.filter((line) => line.startsWith("PATCH")),
      [
        'PATCH /v1/social-accounts/1 {"default_board_id":"5497"}',
        'PATCH /v1/social-accounts/1 {"default_board_id":null}'
      ]
    )
  })

  it("chooses an account's default audience, and clears it", async () => {
    const choose = async (level: string, chosen: string | null) => {
      answers = {
        "GET /v1/social-accounts": [200, listOf({ ...account, platform: "tiktok" })],
        "PATCH /v1/social-accounts/1": [
          200,
          { ...account, platform: "tiktok", default_privacy_level: chosen }
        ]
      }
      const args = ["accounts", "set", "tiktok", "--default-audience", level]
      return (await carillon(args, { isTTY: true })).stdout
    }
    assert.strictEqual(
      await choose("SELF_ONLY", "SELF_ONLY"),
      "Default audience of 1 (tiktok/@demo): SELF_ONLY\n"
    )
    assert.strictEqual(
      await choose("none", null),
      "Default audience of 1 (tiktok/@demo): none; posts without one use the widest on offer\n"
    )
    assert.deepStrictEqual(
      requests.filter((line) => line.startsWith("PATCH")),
      [
        'PATCH /v1/social-accounts/1 {"default_privacy_level":"SELF_ONLY"}',
        'PATCH /v1/social-accounts/1 {"default_privacy_level":null}'
      ]
    )
  })

  it("passes filters on, and how to go on to the next page", async () => {
    answers = {
      "GET /v1/posts": [
        200,
        { data: [{ id: "a", progress: {} }], meta: { total: 9, offset: 3, limit: 1, next: "x" } }
      ]
    }
    const { stderr } = await carillon([
      "posts",
      "--status",
      "failed",
      "--platform",
      "sandbox",
      "--limit",
      "1",
      "--offset",
      "3"
    ])
    assert.deepStrictEqual(requests, ["GET /v1/posts?status=failed&platform=sandbox&limit=1&offset=3"])
    assert.include(stderr, "Showing 1 of 9; see more with --offset 4")
  })

  it.each([
    [problem(400, "empty_post"), 1],
    [problem(401, "unauthorized"), 4],
    [problem(403, "missing_scope"), 4],
    [problem(404, "not_found"), 3],
    [problem(409, "post_not_editable"), 5],
    [problem(412, "stale_version"), 5],
    [problem(503, "unavailable"), 1]
  ])("turns %j into the exit code %i, and tells the request id", async (answer, code) => {
    answers = { "GET /v1/posts/x": answer }
    const { exitCode, stderr, stdout } = await carillon(["posts", "show", "x"])
    assert.deepInclude({ exitCode, stdout }, { exitCode: code, stdout: "" })
    assert.match(stderr, /^carillon: It is \w+\.\n {2}\w.*\n {2}Request ID: req_1\n$/)
  })

  it("lists every problem of a request with its place", async () => {
    const errors = [
      {
        path: "caption",
        code: "caption_too_long",
        message: "The caption has 501 characters; Test network takes 500."
      },
      { path: "media[0]", code: "media_not_found", message: "There is no media item x." }
    ]
    answers = { "POST /v1/posts": problem(400, "invalid_request", errors) }
    const { exitCode, stderr } = await carillon(["post", "Hello", "--to", "1"])
    assert.strictEqual(exitCode, 1)
    assert.include(
      stderr,
      "\n  - caption: The caption has 501 characters; Test network takes 500.\n  - media[0]: There is no media item x.\n"
    )
  })

  it("says where it has looked for a service that does not answer", async () => {
    const { exitCode, stderr } = await carillon(["posts", "--url", "http://127.0.0.1:9"])
    assert.strictEqual(exitCode, 1)
    assert.match(stderr, /127\.0\.0\.1:9.*\n.*npm start.*CARILLON_URL \(currently http:\/\/127\.0\.0\.1:9\)/)
  })

  it("says how to come by a key where there is none", async () => {
    const { exitCode, stderr } = await carillon(["posts"], { env: {} })
    assert.strictEqual(exitCode, 4)
    assert.match(
      stderr,
      /You are not signed in, and no API key is set\.\n.*http:\/\/localhost:4400 with carillon login, or set CARILLON_API_KEY/
    )
  })

  it.each([
    [["psot"], /unknown command 'psot'\n.*Did you mean post/],
    [["post", "Hello"], /--to is missing/],
    [["posts", "shwo"], /unknown command "shwo" for "carillon posts"\n.*list, show/],
    [["posts", "--status", "lost"], /"lost" is not a valid status\.\n.*scheduled, processing, published/],
    [["post", "Hello", "--to", "1", "--tz", "Europe/Paris"], /--tz has no effect without a time/],
    [["post", "Hello", "--to", "1", "--queue", "--tz", "Europe/Pariss"], /"Europe\/Pariss" is not an IANA/],
    [["post", "Hello", "--to", "1", "--set", "title=x"], /"title=x" is not platform\.option=value/],
    [["post", "Hello", "--to", "1", "--set", "sandbox.tilte=x"], /no option "tilte"\.\n.*title/],
    [["post", "Hello", "--to", "1", "--caption-for", "42"], /"42" is not account=caption/],
    [["posts", "edit", "x"], /Nothing to change/],
    [["posts", "edit", "x", "--now", "--draft"], /--now cannot be combined/],
    [["posts", "edit", "x", "--schedule", "--now"], /--schedule cannot be combined/],
    [["queue", "set", "--jitter", "31"], /between 0 and 30/],
    [["queue", "set"], /give slots, --timezone or --jitter\.\n.*carillon queue clear/],
    [["keys", "create", "x", "--scopes", "posts:all"], /Allowed scopes are posts:read/],
    [["webhooks", "add", "http://x", "--events", "post.lost"], /Allowed events are post.created/],
    [["accounts", "connect", "bluesky"], /accounts connect bluesky <handle>/],
    [["accounts", "connect", "mastodon"], /accounts connect mastodon <server>/],
    [["accounts", "connect", "myspace"], /Allowed choices are tiktok/],
    [["profile", "set"], /--name, --timezone/],
    [["results", "confirm", "x"], /either --published <url> or --not-published/],
    [["post", "Hello", "--to", ","], /--to is empty/],
    [["post", "Hello", "--to", "1", "--drfat"], /unknown option '--drfat'\n.*Did you mean --draft/],
    [["post", "Hello", "World", "--to", "1"], /too many arguments/],
    [["post", "Hello", "--to", "1", "--draft", "--wait"], /--draft cannot be combined with --wait/],
    [["post", "Hello", "--to", "1", "--media", "no.jpg"], /"no\.jpg" is not a file, a URL or a media ID/],
    [["post", "Hello", "--to", "1", "--media", "."], /"\." is not a file/],
    [["post", "Hello", "--to", "1", "--then-media", "a.jpg"], /"a\.jpg" comes before any --then/],
    [["post", "Hello", "--to", "1", "--then", ""], /--then has neither text nor --then-media/],
    [
      ["post", "Hello", "--to", "1", "--then", "x", "--then-media", "no.jpg"],
      /--then-media: "no\.jpg" is not a file/
    ],
    [["post", "Hello", "--to", "1", "--join"], /--join has no effect without --then/],
    [["posts", "--limit", "many"], /'many' is invalid\. It must be a whole number/],
    [["posts", "--platform", "myspace"], /Allowed choices are tiktok, /],
    [["post", "Hello", "--to", "1", "--queue", "--at", "+10m"], /--queue cannot be combined/],
    [["queue", "set", "monday 09:00"], /"monday 09:00" is not a valid slot/],
    [["queue", "set", "fri-mon 09:00"], /is not a valid slot/],
    [["accounts", "connect"], /missing required argument 'platform'/],
    [["accounts", "set", "1"], /give --default-board or --default-audience/]
  ])("asks nothing of the service when %j makes no sense", async (args, message) => {
    const { exitCode, stderr, stdout } = await carillon(args)
    assert.deepStrictEqual({ exitCode, stdout, requests }, { exitCode: 2, stdout: "", requests: [] })
    assert.match(stderr, message)
  })

  it("sets a queue in words and shows it by days", async () => {
    const slots = [
      { day: "mon", time: "09:00" },
      { day: "mon", time: "17:30" },
      { day: "tue", time: "09:00" }
    ]
    answers = {
      "GET /v1/queue": [200, { timezone: null, slots: [{ day: "sun", time: "12:00" }], jitter_minutes: 0 }],
      "PUT /v1/queue": [200, { timezone: "Europe/Paris", slots, jitter_minutes: 5 }]
    }
    const { stdout } = await carillon(
      ["queue", "set", "mon-tue 09:00", "mon 17:30", "--timezone", "Europe/Paris", "--jitter", "5"],
      { isTTY: true }
    )
    assert.deepStrictEqual(requests, [
      "GET /v1/queue",
      'PUT /v1/queue {"timezone":"Europe/Paris","slots":[{"day":"mon","time":"09:00"},{"day":"tue","time":"09:00"},' +
        '{"day":"mon","time":"17:30"}],"jitter_minutes":5}'
    ])
    assert.strictEqual(
      stdout,
      "mon  09:00  17:30\ntue  09:00\nTime zone: Europe/Paris\nJitter: up to 5 minutes\n"
    )
  })

  it("says of an upload that a proxy refuses what the proxy has to take, and no signed address", async () => {
    const proxy = await refusingProxy("reads no more")
    const file = join(home, "film.mp4")
    writeFileSync(file, "")
    truncateSync(file, 20_000_000)
    answers = {
      "POST /v1/media/create-upload-url": [
        200,
        {
          media_id: "m",
          upload_url: `${proxy.url}/v1/media/m/upload?signature=secret`,
          complete_url: `${url()}/v1/media/m/complete`,
          name: "film.mp4",
          expires_at: "2100-01-01T00:00:00.000Z"
        }
      ]
    }
    const { exitCode, stderr } = await carillon(["media", "upload", file])
    assert.strictEqual(exitCode, 1)
    assert.match(stderr, /^carillon: A proxy in front .* 413: it takes no body of 20000000 bytes\. .*nginx/)
    assert.notInclude(stderr, proxy.url)
    await proxy.closed
    proxy.close()
  })

  it.each([
    [["set", "--timezone", "Asia/Tokyo"], { timezone: "Asia/Tokyo" }],
    [["set", "--timezone", "profile"], { timezone: null }],
    [["set", "--jitter", "0"], { jitter_minutes: 0 }],
    [["set", "sun 12:00"], { slots: [{ day: "sun", time: "12:00" }] }],
    [["clear", "--yes"], { slots: [] }]
  ])("queue %j keeps what it does not name", async (args, changed) => {
    const queue = { timezone: "Europe/Paris", slots: [{ day: "mon", time: "09:00" }], jitter_minutes: 5 }
    const put = { ...queue, ...changed }
    answers = { "GET /v1/queue": [200, queue], "PUT /v1/queue": [200, put] }
    const { exitCode, stderr } = await carillon(["queue", ...args])
    assert.strictEqual(exitCode, 0, stderr)
    assert.deepStrictEqual(requests, ["GET /v1/queue", `PUT /v1/queue ${JSON.stringify(put)}`])
  })

  it("puts a post into the queue and says when it goes out", async () => {
    answers = {
      "POST /v1/posts": [
        201,
        {
          id: "a",
          status: "scheduled",
          scheduled_at: "2100-06-01T07:00:00.000Z",
          use_queue: true,
          social_accounts: [1],
          warnings: []
        }
      ]
    }
    const { stdout } = await carillon(["post", "Hello", "--to", "1", "--queue"], { isTTY: true })
    assert.include(stdout, "Queued for 2100-06-01 07:00:00Z: a for 1 account.")
    assert.deepStrictEqual(requests, [
      'POST /v1/posts {"social_accounts":[1],"caption":"Hello","use_queue":true}'
    ])
  })

  it("sends nothing when the time makes no sense", async () => {
    answers = { "GET /v1/profile": [200, { timezone: "UTC" }] }
    const { exitCode, stderr } = await carillon(["post", "Hello", "--to", "1", "--at", "someday"])
    assert.deepStrictEqual({ exitCode, requests }, { exitCode: 2, requests: ["GET /v1/profile"] })
    assert.match(stderr, /Invalid time "someday".*\n.*tomorrow 09:00/)
  })

  it("says the exact instant, in the profile's zone, that it sends", async () => {
    answers = {
      "GET /v1/profile": [200, { timezone: "Europe/Paris" }],
      "POST /v1/posts": [
        201,
        {
          id: "a",
          status: "scheduled",
          scheduled_at: "2100-06-01T07:00:00.000Z",
          social_accounts: [1],
          warnings: ["Mind the gap."]
        }
      ]
    }
    const { stderr, stdout } = await carillon(["post", "Hello", "--to", "1", "--at", "2100-06-01 09:00"], {
      isTTY: true
    })
    assert.strictEqual(
      stderr,
      "At 2100-06-01 09:00:00 Europe/Paris (2100-06-01T07:00:00.000Z)\nNote: Mind the gap.\n"
    )
    assert.include(stdout, "Scheduled a for 1 account. Follow it with: carillon posts show a")
    assert.deepStrictEqual(requests, [
      "GET /v1/profile",
      'POST /v1/posts {"social_accounts":[1],"caption":"Hello","scheduled_at":"2100-06-01T07:00:00.000Z"}'
    ])
  })

  it.each([[{ input: "sandbox\n" }], [{ env: { CARILLON_ACCOUNT_PASSWORD: "sandbox" } }]])(
    "takes a password from %j",
    async ({ env, input }: { readonly env?: Record<string, string>; readonly input?: string }) => {
      answers = { "POST /v1/social-accounts": [201, account] }
      const { stdout } = await carillon(["accounts", "connect", "sandbox", "demo"], {
        isTTY: true,
        env: { CARILLON_API_KEY: "crl_key", CARILLON_URL: url(), ...env },
        ...(input === undefined ? {} : { input })
      })
      assert.strictEqual(stdout, "Connected sandbox @demo as account 1\n")
      assert.deepStrictEqual(requests, [
        'POST /v1/social-accounts {"platform":"sandbox","credentials":{"username":"demo","password":"sandbox"}}'
      ])
    }
  )

  it("the command line does not connect without a password", async () => {
    const { exitCode, stderr } = await carillon(["accounts", "connect", "bluesky", "alice.bsky.social"])
    assert.deepStrictEqual({ exitCode, requests }, { exitCode: 2, requests: [] })
    assert.include(stderr, "The App password is empty.")
  })

  it("asks with the key and at the address of flags, then of the environment, then of the file", async () => {
    answers = {
      "GET /v1/profile": [200, towerProfile]
    }
    const login = (profile: ReadonlyArray<string>, input: string) =>
      carillon(["login", "--url", url(), ...profile], { env: {}, input })
    assert.strictEqual((await login([], "crl_default\n")).exitCode, 0)
    assert.strictEqual((await login(["--profile", "work"], "crl_work")).exitCode, 0)
    const path = join(home, ".config/carillon/config.json")
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)

    const keyOf = async (args: ReadonlyArray<string>, env: Record<string, string>) => {
      keys.length = 0
      await carillon(["whoami", ...args], { env })
      return keys[0]?.replace("Bearer ", "")
    }
    assert.strictEqual(await keyOf([], {}), "crl_default")
    assert.strictEqual(await keyOf([], { CARILLON_PROFILE: "work" }), "crl_work")
    assert.strictEqual(await keyOf([], { CARILLON_API_KEY: "crl_env" }), "crl_env")
    assert.strictEqual(await keyOf(["--profile", "work"], { CARILLON_API_KEY: "crl_env" }), "crl_work")

    const unknown = await carillon(["whoami", "--profile", "home"], { env: {} })
    assert.strictEqual(unknown.exitCode, 2)
    assert.include(unknown.stderr, "carillon login --profile home")

    assert.strictEqual((await carillon(["logout"], { env: {} })).exitCode, 0)
    assert.notInclude(readFileSync(path, "utf8"), "crl_default")
    assert.strictEqual((await carillon(["logout"], { env: {} })).exitCode, 3)
  })

  it("sends a kept key to no other service than its own", async () => {
    answers = {
      "GET /v1/profile": [200, towerProfile]
    }
    await carillon(["login", "--url", "http://localhost:4400"], { env: {}, input: "" })
    await carillon(["login", "--url", url(), "--profile", "tower"], { env: {}, input: "crl_tower" })
    requests.length = 0
    for (const args of [
      ["whoami", "--profile", "tower", "--url", url().replace("127.0.0.1", "localhost")],
      ["whoami", "--url", "http://127.0.0.1:9"]
    ]) {
      const { exitCode, stderr } = await carillon(args, { env: { CARILLON_PROFILE: "tower" } })
      assert.deepStrictEqual({ exitCode, requests }, { exitCode: 4, requests: [] })
      assert.include(stderr, "You are not signed in, and no API key is set.")
    }
  })

  it("keeps no key that does not work", async () => {
    answers = { "GET /v1/profile": problem(401, "unauthorized") }
    const { exitCode } = await carillon(["login", "--url", url(), "--profile", "wrong"], {
      env: {},
      input: "crl_x"
    })
    assert.strictEqual(exitCode, 4)
    assert.strictEqual((await carillon(["whoami", "--profile", "wrong"], { env: {} })).exitCode, 2)
  })

  it("says nothing but the result and errors when it is to be quiet", async () => {
    answers = { "GET /v1/posts": [200, { ...listOf(), meta: { total: 9, offset: 0, limit: 1, next: "x" } }] }
    assert.include((await carillon(["posts"])).stderr, "Showing 0 of 9")
    const quiet = await carillon(["posts", "--quiet"])
    assert.deepInclude(quiet, { exitCode: 0, stderr: "" })
    assert.include((await carillon(["posts", "--quiet", "--offset", "x"])).stderr, "whole number")
  })

  it("colours on a terminal alone, and not where NO_COLOR is set", async () => {
    answers = { "GET /v1/social-accounts": [200, listOf(account)] }
    const env = { CARILLON_API_KEY: "crl_key", CARILLON_URL: url(), NO_COLOR: "" }
    assert.include(
      (await carillon(["accounts"], { isTTY: true, env })).stdout,
      "\u001b[32mconnected\u001b[0m"
    )
    for (const plain of [
      { ...env, NO_COLOR: "1" },
      { ...env, TERM: "dumb" }
    ]) {
      assert.notInclude((await carillon(["accounts"], { isTTY: true, env: plain })).stdout, "\u001b")
    }
    assert.notInclude((await carillon(["accounts"], { env })).stdout, "\u001b")
  })

  it("the command line has help with examples for every command, and lists them all for programs", async () => {
    const { commands } = JSON.parse((await carillon(["commands"], { env: {} })).stdout)
    assert.isAbove(commands.length, 45)
    for (const { command, examples, summary } of commands) {
      assert.isNotEmpty(examples, command)
      assert.match(summary, /^[A-Z]/, command)
      const { exitCode, stdout } = await carillon([...command.split(" "), "--help"], { env: {} })
      assert.strictEqual(exitCode, 0)
      assert.include(stdout, `Usage: carillon ${command}`)
      assert.match(stdout, /\nExamples:\n {2}\$ carillon /)
    }
  })

  it("puts options where the contract has them, as what they are there", async () => {
    answers = {
      "GET /v1/social-accounts": [
        200,
        listOf(account, { ...account, id: 2, platform: "youtube", username: "films.tv" })
      ],
      "POST /v1/posts": [201, { id: "a", status: "draft", social_accounts: [1, 2], warnings: [] }]
    }
    const { exitCode, stderr } = await carillon(
      ["post", "Bells", "--to", "sandbox,youtube", "--draft"].concat(
        ...[
          "youtube.made_for_kids=true",
          "youtube.title=2024",
          "youtube.tags=bells,evening",
          "@films.tv.description=true",
          "tiktok.video_cover_timestamp_ms=1500"
        ].map((one) => ["--set", one]),
        ...["1=One, for you", "youtube=For films"].map((one) => ["--caption-for", one])
      )
    )
    assert.strictEqual(exitCode, 0, stderr)
    assert.deepStrictEqual(JSON.parse(requests.at(-1)!.replace("POST /v1/posts ", "")), {
      social_accounts: [1, 2],
      caption: "Bells",
      is_draft: true,
      platform_configurations: {
        youtube: { made_for_kids: true, title: "2024", tags: ["bells", "evening"], caption: "For films" },
        tiktok: { video_cover_timestamp_ms: 1500 }
      },
      account_configurations: [
        { account_id: 1, caption: "One, for you" },
        { account_id: 2, description: "true" }
      ]
    })
  })

  it("gives each medium of a thread to the post before it, in order", async () => {
    const [one, two, three] = [1, 2, 3].map((n) => `019a9d3c-0000-7000-8000-00000000000${n}`)
    answers = { "POST /v1/posts": [201, { id: "a", status: "draft", social_accounts: [1], warnings: [] }] }
    const { exitCode, stderr } = await carillon(
      ["post", "Bells", "--media", one!, "--to", "1", "--draft", "--join"].concat(
        ["--then", "At six", "--then-media", two!, "--then-media", three!],
        ["--then", "At seven", "--then", "", "--then-media", one!]
      )
    )
    assert.strictEqual(exitCode, 0, stderr)
    assert.deepStrictEqual(JSON.parse(requests.at(-1)!.replace("POST /v1/posts ", "")), {
      social_accounts: [1],
      caption: "Bells",
      media: [one],
      thread: [
        { caption: "At six", media: [two, three] },
        { caption: "At seven", media: [] },
        { caption: null, media: [one] }
      ],
      thread_fallback: "join",
      is_draft: true
    })
  })

  it("asks for nothing where nobody can answer", async () => {
    answers = { "DELETE /v1/posts/x": [200, { success: true, id: "x" }] }
    const { exitCode, stdout } = await carillon(["posts", "delete", "x"], { isTTY: true })
    assert.deepStrictEqual({ exitCode, stdout }, { exitCode: 0, stdout: "Deleted post x\n" })
  })

  it("completes what has been typed so far in bash", async () => {
    const { stdout } = await carillon(["completion", "bash"], { env: {} })
    const complete = (...words: ReadonlyArray<string>) =>
      execFileSync("bash", [
        "-c",
        `${stdout}\nCOMP_WORDS=(carillon "$@"); COMP_CWORD=$#; _carillon; echo "\${COMPREPLY[@]}"`,
        "-",
        ...words
      ])
        .toString()
        .trim()
    assert.strictEqual(complete("po"), "post posts")
    assert.strictEqual(complete("posts", "val"), "validate")
    assert.strictEqual(complete("accounts", "--platform", "sand"), "sandbox")
    assert.strictEqual(complete("post", "Evening bells", "--cap"), "--caption-for")
    assert.strictEqual(complete("post", "Bells", "--the"), "--then --then-media")
    assert.strictEqual(complete("posts", "edit", "x", "--no-t"), "--no-then")
    assert.strictEqual(complete("accounts", "connect", "ti"), "tiktok")
  })
})
