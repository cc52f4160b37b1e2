import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { visitConsentPage } from "@carillon/testing/ConsentVisit"
import { webhooks } from "@carillon/sdk"
import { connect, create, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { onTerminal } from "@carillon/testing/PseudoTerminal"
import { receiver, until } from "@carillon/testing/Receiver"
import { Service, startService } from "@carillon/testing/ServiceProcess"
import { stoppingProxy } from "@carillon/testing/StoppingProxy"
import { steady, typed } from "@carillon/testing/Transcript"
import { sixSeconds } from "@carillon/testing/Videos"

const repository = join(import.meta.dirname, "../..")

/** A directory with nothing in it, for a home or for files. */
const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carillon-terminal-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** The command line as a person sees it, with a home of its own. */
const carillon = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  more: Readonly<Record<string, string>> = {}
) {
  const { key, url } = yield* Service
  const home = yield* directory
  return yield* onTerminal(process.execPath, ["packages/cli/carillon.js", ...args], {
    cwd: repository,
    env: {
      PATH: process.env["PATH"] ?? "",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      HOME: home,
      CARILLON_URL: url,
      CARILLON_API_KEY: key,
      ...more
    }
  })
})

const finished = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  more: Readonly<Record<string, string>> = {}
) {
  const terminal = yield* carillon(args, more)
  const code = yield* terminal.ended
  return { code, raw: terminal.raw(), screen: terminal.screen() }
})

layer(ServiceWithSandbox(), { excludeTestServices: true, concurrent: true })("on a terminal", (it) => {
  it.effect("the main commands look as in test/transcripts", ({ expect }) =>
    Effect.gen(function* () {
      // A workspace of its own, in which there is nothing yet.
      const { call } = yield* Service
      const { body: workspace } = yield* call("POST", "/v1/workspaces", { name: "Bell tower" })
      const { key } = workspace.api_key
      yield* call(
        "POST",
        "/v1/social-accounts",
        { platform: "sandbox", credentials: { username: "tower", password: "sandbox" } },
        { authorization: `Bearer ${key}` }
      )
      const scenes = {
        help: [["--help"], ["post", "--help"], ["queue", "show", "--help"], ["posts"]],
        posting: [
          [
            "post",
            "Evening bells",
            "--media",
            "examples/media/bells.jpg",
            "--to",
            "@tower",
            "--at",
            "+5s",
            "--wait"
          ],
          ["post", "First bell", "--then", "Second bell", "--to", "@tower", "--wait"],
          ["post", "For later", "--to", "sandbox", "--draft"],
          ["post", "At nine", "--to", "sandbox", "--at", "2100-06-01 09:00", "--tz", "Europe/Paris"],
          ["posts"],
          ["results"]
        ],
        everything: [
          ["accounts"],
          ["accounts", "options", "@tower"],
          ["media"],
          ["queue"],
          ["queue", "set", "mon-fri 09:00", "sat 11:30", "--timezone", "Europe/Paris"],
          ["keys", "create", "newsletter", "--scopes", "posts:write,media:write"],
          ["webhooks", "add", "https://newsroom.example/carillon", "--events", "post.failed"],
          ["profile"],
          ["whoami"],
          ["status"],
          ["doctor"]
        ],
        mistakes: [
          ["post", "Hello", "--to", "@nobody"],
          ["post", "Hello", "--to", "sandbox", "--at", "someday"],
          ["post", "Hello", "--to", "sandbox", "--set", "sandbox.tilte=Bells"],
          ["post", "x".repeat(501), "--to", "sandbox", "--media", "019a9d3c-0000-7000-8000-000000000001"],
          ["posts", "show", "019a9d3c-0000-7000-8000-000000000001"],
          ["posts", "shwo"],
          ["pots"],
          ["queue", "set", "monday 09:00"]
        ]
      }
      for (const [name, commands] of Object.entries(scenes)) {
        const transcript: Array<string> = []
        for (const args of commands) {
          const { code, screen } = yield* finished(args, { CARILLON_API_KEY: key })
          transcript.push(`$ ${typed("carillon", ...args)}\n${steady(screen)}\n[${code}]\n`)
        }
        yield* Effect.promise(() =>
          expect(transcript.join("\n")).toMatchFileSnapshot(`../transcripts/${name}.txt`)
        )
      }
    })
  )

  it.effect("an upload draws its progress, and each account a line that changes", () =>
    Effect.gen(function* () {
      const account = yield* connect("watched")
      const film = join(yield* directory, "film.mp4")
      writeFileSync(film, yield* sixSeconds(6_000_000))
      const { code, raw, screen } = yield* finished([
        "post",
        "A film",
        "--media",
        film,
        "--to",
        String(account),
        "--at",
        "+6s",
        "--wait"
      ])
      assert.strictEqual(code, 0, raw)
      assert.match(raw, /film\.mp4 {2}\[[#-]{24}\] +\d+ % {2}.* MB of 6\.\d MB/)
      assert.match(raw, / {2}\d+\.\d MB\/s {2}/)
      assert.include(raw, "checking")
      assert.match(raw, /sandbox @watched: .*(publishing|waiting, in \d s)/)
      assert.include(raw, "\u001b[32mpublished\u001b[0m")
      // The bar is gone in the end, and of the account only its last state is left.
      assert.notInclude(screen, "film.mp4  [")
      assert.lengthOf(screen.match(/sandbox @watched/g)!, 1)
      assert.match(screen, /\+ sandbox @watched: published, http:/)
    })
  )

  it.effect("it draws nothing and colours nothing where that is not wanted", () =>
    Effect.gen(function* () {
      const account = yield* connect("plain")
      const { code, raw } = yield* finished(["post", "Plain", "--to", String(account), "--wait", "--quiet"], {
        NO_COLOR: "1"
      })
      assert.strictEqual(code, 0)
      assert.match(raw, /^Post \S+ is live on 1 of 1 account\.\r\n$/)
    })
  )

  it.effect("an upload that was killed is taken up under the same id", () =>
    Effect.gen(function* () {
      const proxy = yield* stoppingProxy("swallows", 4_000_000)
      const service = yield* startService({ env: { PUBLIC_URL: proxy.url } })
      proxy.leadTo(service.url)
      const place = yield* directory
      const film = join(place, "long.mp4")
      writeFileSync(film, yield* sixSeconds(16_000_000))
      const cache = { XDG_CACHE_HOME: place, CARILLON_URL: service.url }
      const items = Effect.map(service.call("GET", "/v1/media?q=long.mp4"), ({ body }) => body.data)

      const first = yield* carillon(["media", "upload", film], cache)
      yield* first.until("long.mp4  [")
      yield* until(() => proxy.stopped.length === 1)
      first.kill("SIGKILL")
      yield* first.ended
      const [reserved] = yield* items
      assert.strictEqual(reserved.status, "reserved")
      assert.strictEqual(statSync(join(place, "carillon/uploads.json")).mode & 0o777, 0o600)

      const { code, screen } = yield* finished(["media", "upload", film], cache)
      assert.strictEqual(code, 0, screen)
      assert.include(screen, reserved.id)
      const after = yield* items
      assert.deepStrictEqual(
        after.map(({ id, status }: { id: string; status: string }) => ({ id, status })),
        [{ id: reserved.id, status: "ready" }]
      )
      // Once it has been used, the next command sends the file anew.
      assert.notInclude((yield* finished(["media", "upload", film], cache)).screen, reserved.id)
    })
  )

  it.effect("it asks before it deletes, and anything but yes is a no", () =>
    Effect.gen(function* () {
      const account = yield* connect("asked")
      const { id } = yield* create({ social_accounts: [account], caption: "Kept", is_draft: true })
      const service = yield* Service
      const status = Effect.map(service.call("GET", `/v1/posts/${id}`), (answer) => answer.status)
      for (const [keys, code, then] of [
        ["\r", 1, 200],
        ["n\r", 1, 200],
        ["\u0003", 1, 200],
        ["y\r", 0, 404]
      ] as const) {
        const terminal = yield* carillon(["posts", "delete", id])
        yield* terminal.until("[y/N]")
        terminal.type(keys)
        assert.strictEqual(yield* terminal.ended, code, JSON.stringify(keys))
        assert.strictEqual(yield* status, then, JSON.stringify(keys))
      }
    })
  )

  it.effect("it asks before it removes the slots of the queue", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const slots = [{ day: "mon", time: "09:00" }]
      yield* call("PUT", "/v1/queue", { timezone: "Asia/Tokyo", slots })
      for (const [keys, code, left] of [
        ["\r", 1, slots],
        ["y\r", 0, []]
      ] as const) {
        const terminal = yield* carillon(["queue", "clear"])
        yield* terminal.until("Remove 1 slot? Queued posts keep their times. [y/N]")
        terminal.type(keys)
        assert.strictEqual(yield* terminal.ended, code, JSON.stringify(keys))
        const { body } = yield* call("GET", "/v1/queue")
        assert.deepStrictEqual(body, { timezone: "Asia/Tokyo", slots: left, jitter_minutes: 0 })
      }
    })
  )

  it.effect("a key that is typed is kept for its owner alone, and never shown", () =>
    Effect.gen(function* () {
      const { key, url } = yield* Service
      const home = yield* directory
      const env = { HOME: home, CARILLON_API_KEY: "" }
      const terminal = yield* carillon(["login", "--with-key"], env)
      yield* terminal.until("API key: ")
      terminal.type(`${key}\r`)
      assert.strictEqual(yield* terminal.ended, 0, terminal.raw())
      assert.notInclude(terminal.raw(), key)
      assert.include(terminal.screen(), `Logged in to ${url}, workspace Default, as profile default.`)
      assert.strictEqual(statSync(join(home, ".config/carillon/config.json")).mode & 0o777, 0o600)

      const whoami = yield* finished(["whoami"], { ...env, CARILLON_URL: "" })
      assert.strictEqual(whoami.code, 0, whoami.screen)
      assert.include(whoami.screen, `from ${home}/.config/carillon/config.json`)
    })
  )

  it.effect("Ctrl-C ends the waiting and not the post", () =>
    Effect.gen(function* () {
      const account = yield* connect("left")
      const { id } = yield* create({
        social_accounts: [account],
        caption: "Left",
        scheduled_at: inSeconds(3600)
      })
      const terminal = yield* carillon(["posts", "publish", id, "--wait"])
      const scheduled = yield* carillon([
        "post",
        "Left too",
        "--to",
        String(account),
        "--at",
        "+10m",
        "--wait"
      ])
      yield* scheduled.until("sandbox @left: waiting")
      scheduled.type("\u0003")
      assert.strictEqual(yield* scheduled.ended, 130, scheduled.raw())
      const [, left] = /Post (\S+) continues in the background/.exec(scheduled.screen())!
      const service = yield* Service
      assert.strictEqual((yield* service.call("POST", `/v1/posts/${left}/publish`)).status, 200)
      assert.strictEqual((yield* settled(left!)).status, "published")
      assert.strictEqual(yield* terminal.ended, 0)
    })
  )

  it.effect.each([
    ["sandbox", [], "", ""],
    ["mastodon", ["mastodon.sandbox"], "@mastodon.sandbox", ""],
    ["tiktok", [], "", "Choose who sees posts .+ --default-audience <level>"]
  ] as const)("an account of %s is connected on its platform's page", ([platform, server, at, then]) =>
    Effect.gen(function* () {
      const terminal = yield* carillon(["accounts", "connect", platform, ...server, "--no-browser"])
      yield* terminal.until("/oauth/connect/")
      yield* terminal.until("\n")
      const authorizeUrl = /http\S+\/oauth\/connect\/\S+/.exec(terminal.screen())![0]
      const end = yield* visitConsentPage(authorizeUrl, "on-its-page")
      const page = yield* Effect.promise(async () => (await fetch(end)).text())
      assert.include(page, "go back to the terminal")
      assert.strictEqual(yield* terminal.ended, 0, terminal.raw())
      assert.match(
        terminal.screen().replaceAll("\n", ""),
        new RegExp(
          `Connected ${platform}${platform === "sandbox" ? "" : " \\(test\\)"} @on-its-page${at} as account \\d+${then}$`
        )
      )
    })
  )

  const onInstagram = Effect.fnUntraced(function* (username: string, ...args: ReadonlyArray<string>) {
    const terminal = yield* carillon([
      "accounts",
      "connect",
      "instagram",
      "--login",
      "facebook",
      "--no-browser",
      ...args
    ])
    yield* terminal.until("/oauth/connect/")
    yield* terminal.until("\n")
    const end = yield* visitConsentPage(/http\S+\/oauth\/connect\/\S+/.exec(terminal.screen())![0], username)
    yield* Effect.promise(() => fetch(end))
    return terminal
  })

  it.effect("sixty accounts of a sign-in are searched by name and chosen by number", () =>
    Effect.gen(function* () {
      const terminal = yield* onInstagram("keys-sixty")
      yield* terminal.until("and 50 more")
      yield* terminal.until("to search for:")
      terminal.type("branch-5\r")
      yield* terminal.until("@keys-branch-58")
      yield* terminal.until("and 1 more")
      terminal.type("61\r")
      yield* terminal.until("the numbers are 1 to 60")
      terminal.type("5 58-59\r")
      assert.strictEqual(yield* terminal.ended, 0, terminal.raw())
      for (const number of [5, 58, 59]) {
        assert.match(
          terminal.screen(),
          new RegExp(`Connected instagram \\(test\\) @keys-branch-${number} as account \\d+`)
        )
      }
      const { call } = yield* Service
      const { body } = yield* call("GET", "/v1/social-accounts?q=keys-&limit=100")
      assert.lengthOf(body.data, 3)

      // Named ahead, nobody is asked; a reconnection takes its own account.
      const named = yield* onInstagram("keys-sixty", "--choose", "keys-branch-7", "@keys-branch-5")
      assert.strictEqual(yield* named.ended, 0, named.raw())
      assert.match(named.screen(), /@keys-branch-5 as account \d+\n.*@keys-branch-7 as account/)
      const again = yield* onInstagram("keys-sixty", "--reconnect", "@keys-branch-7")
      assert.strictEqual(yield* again.ended, 0, again.raw())
      assert.lengthOf((yield* call("GET", "/v1/social-accounts?q=keys-&limit=100")).body.data, 4)
    })
  )

  it.effect("a choice is canceled with Ctrl-C, and nothing is connected", () =>
    Effect.gen(function* () {
      const terminal = yield* onInstagram("unsure-two")
      yield* terminal.until("Connect which?")
      terminal.type("\u0003")
      assert.strictEqual(yield* terminal.ended, 1, terminal.raw())
      assert.include(terminal.screen(), "Canceled; nothing was connected.")
      const { call } = yield* Service
      assert.lengthOf((yield* call("GET", "/v1/social-accounts?q=unsure-")).body.data, 0)
    })
  )

  it.effect("events are shown as they happen, and passed on with their signature", () =>
    Effect.gen(function* () {
      const account = yield* connect("heard")
      const program = yield* receiver()
      const terminal = yield* carillon([
        "webhooks",
        "listen",
        "--forward-to",
        program.url,
        "--events",
        "post.published"
      ])
      yield* terminal.until("Webhook secret: whsec_")
      const { id } = yield* create({ social_accounts: [account], caption: "Heard" })
      yield* until(() => program.of(id).length > 0)
      const shown = new RegExp(`post\\.published ${id} published -> 200`)
      yield* until(() => shown.test(terminal.screen()))
      const [secret] = /whsec_\S+/.exec(terminal.screen())!
      const { body, headers } = program.of(id)[0]!
      const event = yield* Effect.promise(() => webhooks.verify(headers, body, secret))
      assert.deepInclude<object>(event, { type: "post.published", id: headers["webhook-id"] })

      terminal.type("\u0003")
      assert.strictEqual(yield* terminal.ended, 0, terminal.raw())
    })
  )
})
