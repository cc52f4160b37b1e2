import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll } from "vitest"
import { carillon as carillonIn, printed } from "@carillon/testing/CommandLine"
import { signInAt, visitConsentPage } from "@carillon/testing/ConsentVisit"
import { connect } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const repository = join(import.meta.dirname, "../..")
const execute = promisify(execFile)

const home = mkdtempSync(join(tmpdir(), "carillon-home-"))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const carillon = (args: ReadonlyArray<string>, input: string | Uint8Array = "") =>
  carillonIn(home, args, input)
const json = (...args: ReadonlyArray<string>) => printed(home, ...args)

const picture = "examples/media/bells.jpg"

layer(Layer.provideMerge(Layer.effectDiscard(connect("demo")), SharedService), {
  excludeTestServices: true,
  concurrent: true
})("the command line", (it) => {
  it.effect("publishes a picture at its time and says where it is", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* carillon([
        "post",
        "The evening bells",
        "--media",
        picture,
        "--to",
        "@demo",
        "--at",
        "in 5 seconds",
        "--wait"
      ])
      assert.strictEqual(code, 0, stderr)
      const at = /At \S+ \S+ UTC \((\S+)\)/.exec(stderr)![1]!
      const post = JSON.parse(stdout)
      assert.deepInclude(post, { status: "published", caption: "The evening bells", scheduled_at: at })
      assert.isAtLeast(Date.parse(post.published_at), Date.parse(at))
      assert.deepInclude(post.results[0], { platform: "sandbox", status: "published", success: true })
      assert.match(post.results[0].platform_data.url, /^http:\/\/[^/]+\//)

      const [media] = (yield* json("posts", "show", post.id)).media
      assert.match(stderr, new RegExp(`Uploaded bells.jpg as ${media}`))
      const [listed] = (yield* json("posts", "--status", "published", "--search", "The evening bells")).data
      assert.strictEqual(listed.id, post.id)
      const results = yield* json("results", "--post", post.id)
      assert.deepInclude(results.data[0], { post_id: post.id, status: "published", attempts: 1 })
    })
  )

  it.effect("waits as a process of its own until a post is published, and ends", () =>
    Effect.gen(function* () {
      const { key, url } = yield* Service
      const { stderr, stdout } = yield* Effect.promise(() =>
        execute(
          process.execPath,
          ["packages/cli/carillon.js", "post", "By itself", "--to", "@demo", "--wait"],
          {
            cwd: repository,
            env: { PATH: process.env["PATH"], HOME: home, CARILLON_URL: url, CARILLON_API_KEY: key }
          }
        )
      )
      assert.deepInclude(JSON.parse(stdout), { status: "published", caption: "By itself" }, stderr)
    })
  )

  it.effect("connects an account with a password from stdin and posts to it by its handle", () =>
    Effect.gen(function* () {
      const connected = yield* carillon(["accounts", "connect", "sandbox", "alice"], "sandbox\n")
      assert.strictEqual(connected.code, 0, connected.stderr)
      const { id } = JSON.parse(connected.stdout)
      assert.include(
        (yield* json("accounts", "--platform", "sandbox")).data.map((account: { id: number }) => account.id),
        id
      )
      const post = yield* json("post", "Hello", "--to", "Alice", "--wait")
      assert.deepStrictEqual(post.social_accounts, [id])

      const refused = yield* carillon(["accounts", "connect", "sandbox", "bob"], "guess\n")
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /carillon: .*\n.*\n {2}Request ID: req_/)
      const ambiguous = yield* carillon(["post", "Hello", "--to", "sandbox"])
      assert.strictEqual(ambiguous.code, 2)
      assert.include(ambiguous.stderr, `${id} (sandbox/@alice)`)
    })
  )

  it.effect("tells by its exit code that a post is not on all of its accounts", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const connected = yield* carillon(["accounts", "connect", "sandbox", "carol"], "sandbox\n")
      const { id } = JSON.parse(connected.stdout)
      yield* (yield* SandboxProcess).script("carol", [{ on: "post", fault: "refuse" }])
      const { code, stderr, stdout } = yield* carillon(["post", "Half", "--to", `@demo,${id}`, "--wait"])
      assert.strictEqual(code, 6, stderr)
      const post = JSON.parse(stdout)
      assert.deepInclude(post.progress, { total: 2, published: 1, failed: 1 })
      assert.include(stderr, `Post ${post.id} is live on 1 of 2 accounts.`)

      yield* (yield* SandboxProcess).script("carol", [{ on: "post", fault: "review", states: ["rejected"] }])
      const rejected = yield* carillon(["post", "Seen", "--to", String(id), "--wait"])
      assert.strictEqual(rejected.code, 6, rejected.stderr)
      assert.match(rejected.stderr, / is live on 0 of 1 account\./)
      assert.notInclude(rejected.stderr, "retry with")

      yield* call("DELETE", `/v1/social-accounts/${id}`)
      const refused = yield* carillon(["post", "Lost", "--to", String(id)])
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /List accounts with: carillon accounts\n {2}Request ID: req_/)

      const renewed = yield* carillon(["accounts", "connect", "sandbox", "carol"], "sandbox\n")
      assert.strictEqual(JSON.parse(renewed.stdout).id, id)
      const retried = yield* json("posts", "retry", post.id, "--wait")
      assert.deepInclude(retried.progress, { total: 2, published: 2, failed: 0 })
    })
  )

  it.effect("publishes a post with other words instead of a failure, which then says where", () =>
    Effect.gen(function* () {
      for (const name of ["erin", "frank"])
        yield* carillon(["accounts", "connect", "sandbox", name], "sandbox\n")
      const refusal = { on: "post", fault: "refuse", message: "Not that word." } as const
      const sandbox = yield* SandboxProcess
      yield* sandbox.script("erin", [refusal])
      yield* sandbox.script("frank", [refusal])
      const words = ["A word", "--to", "@demo,@erin,@frank", "--caption-for", "@erin=Own words", "--wait"]
      const half = yield* carillon(["post", ...words, "--set", "sandbox.title=Bells"])
      assert.strictEqual(half.code, 6, half.stderr)
      const { id, results } = JSON.parse(half.stdout)
      const [, erin, frank] = results

      for (const [given, said] of [
        [["--caption", "Other"], /--edit/],
        [["--edit"], /Nothing to change/],
        [["--edit", "--caption", "Other", "--force"], /--force/],
        [["--edit", "--caption", "Other", "--to", "@demo"], /--to/],
        [["--edit", "--caption", "Other", "--account", "@demo"], /no failure to repair on \d+/]
      ] as const) {
        const { code, stderr } = yield* carillon(["posts", "retry", id, ...given])
        assert.strictEqual(code, 2, stderr)
        assert.match(stderr, said)
      }

      const edit = ["posts", "retry", id, "--edit"]
      const draft = yield* json(
        ...edit,
        "--caption",
        "Later",
        "--account",
        String(frank.social_account_id),
        "--draft"
      )
      assert.deepStrictEqual([draft.repairs, draft.status], [frank.id, "draft"])
      const busy = yield* carillon([...edit, "--caption", "Others"])
      assert.strictEqual(busy.code, 5, busy.stderr)
      assert.include(busy.stderr, draft.id)
      yield* json("posts", "delete", draft.id, "--yes")

      const mended = yield* json(...edit, "--caption", "Others", "--wait")
      assert.deepStrictEqual(
        [mended.repairs, mended.social_accounts, mended.caption],
        [erin.id, [erin.social_account_id, frank.social_account_id], "Others"]
      )
      assert.strictEqual(mended.platform_configurations.sandbox.title, "Bells")
      for (const name of ["erin", "frank"])
        assert.deepStrictEqual(
          (yield* sandbox.publications(name)).map(({ text }) => text),
          ["Others"]
        )
      const shown = yield* json("posts", "show", id)
      assert.deepStrictEqual(
        shown.results.map(({ repaired_by }: any) => repaired_by?.post_id),
        [undefined, mended.id, mended.id]
      )
      const again = yield* carillon([...edit, "--caption", "Again"])
      assert.strictEqual(again.code, 2, again.stderr)
      assert.match(again.stderr, /has no failure to repair/)
    })
  )

  it.effect("saves a draft, uses a picture again by its id, and finds what there is not", () =>
    Effect.gen(function* () {
      const media = yield* json("media", "upload", picture, "--name", "dusk.jpg")
      assert.deepInclude(media, {
        name: "dusk.jpg",
        mime_type: "image/jpeg",
        status: "ready",
        width: 1600,
        height: 1200
      })
      const draft = yield* json(
        "post",
        "--media",
        media.id,
        "--to",
        "@demo",
        "--draft",
        "--at",
        "2100-01-01T09:00+02:00"
      )
      assert.deepInclude(draft, {
        status: "draft",
        media: [media.id],
        scheduled_at: "2100-01-01T07:00:00.000Z"
      })

      const missing = yield* carillon(["posts", "show", "019a9d3c-0000-7000-8000-000000000001"])
      assert.strictEqual(missing.code, 3)
      assert.strictEqual((yield* carillon(["post", "Hello", "--to", "@nobody"])).code, 3)
      assert.strictEqual(
        (yield* carillon(["post", "Hello", "--to", "@demo", "--at", "yesterday 9am"])).code,
        2
      )
    })
  )

  it.effect("takes the text of a post from stdin", () =>
    Effect.gen(function* () {
      const draft = (args: ReadonlyArray<string>, input: string | Uint8Array) =>
        carillon(["post", ...args, "--to", "@demo", "--draft"], input)
      const captions: Array<string | null> = []
      for (const [args, input] of [
        [["-"], "\u{feff}Evening\n\nbells \u{1f514}\r\n\n"],
        [[], "Piped\n"],
        // A loop's own lines are not the text.
        [["Given"], "not this\n"],
        [["--media", picture], "not this\n"]
      ] as const) {
        const { code, stderr, stdout } = yield* draft(args, input)
        assert.strictEqual(code, 0, stderr)
        captions.push(JSON.parse(stdout).caption)
      }
      assert.deepStrictEqual(captions, ["Evening\n\nbells \u{1f514}", "Piped", "Given", null])
      const { id } = JSON.parse((yield* draft(["A draft"], "")).stdout)
      const edited = yield* carillon(["posts", "edit", id, "--caption", "-"], "Edited\n")
      assert.strictEqual(JSON.parse(edited.stdout).caption, "Edited")
      for (const [input, why] of [
        ["\n", "stdin is empty"],
        [Buffer.from("Bells\ncaf\xe9", "latin1"), "Line 2 of stdin is not text in UTF-8"]
      ] as const) {
        const { code, stderr } = yield* draft(["-"], input)
        assert.deepStrictEqual([code, stderr.includes(why)], [2, true], stderr)
      }
    })
  )

  it.effect("finds the posts of an account by every name that --to takes, and says which there is not", () =>
    Effect.gen(function* () {
      const id = yield* connect("filtered")
      yield* connect("elsewhere")
      const time = "2031-03-04T09:00:00Z"
      const post = yield* json("post", "Filtered", "--to", "@filtered", "--at", time)
      yield* json("post", "Elsewhere", "--to", "@elsewhere", "--at", time)
      const ids = (listed: { data: ReadonlyArray<{ id: string }> }) => listed.data.map((one) => one.id)
      for (const name of ["@filtered", "sandbox/@Filtered", "filtered", String(id)]) {
        assert.deepStrictEqual(ids(yield* json("posts", "list", "--account", name)), [post.id], name)
        const { days } = yield* json(
          "calendar",
          "--from",
          "2031-03-04",
          "--to",
          "2031-03-04",
          "--account",
          name
        )
        assert.deepStrictEqual(
          days[0].posts.map((one: { id: string }) => one.id),
          [post.id],
          name
        )
      }
      const both = yield* json("posts", "list", "--account", "@filtered,@elsewhere")
      assert.lengthOf(both.data, 2)
      for (const command of [["posts", "list"], ["calendar"], ["posts", "retry", post.id]]) {
        for (const name of ["@nobody", "999999", "bluesky"]) {
          const { code, stderr } = yield* carillon([...command, "--account", name])
          assert.deepStrictEqual(
            [code, stderr.includes(`no connected account matches "${name}"`)],
            [3, true],
            stderr
          )
        }
      }
    })
  )

  it.effect("refuses a file that is not UTF-8, and names its line", () =>
    Effect.gen(function* () {
      const header = "caption,to,at\r\n"
      const rows = `${header}Hello,@demo,2031-01-01T09:00\r\n`
      for (const [bytes, line] of [
        [Buffer.from(`${rows}Hallo \xe9,@demo,2031-01-01T09:00\r\n`, "latin1"), 3],
        [Buffer.from(`\ufeff${rows}`, "utf16le"), 1],
        [Buffer.from(rows, "utf16le"), 1],
        [Buffer.concat([Buffer.from(rows), Buffer.from("\u{1f514}").subarray(0, 3)]), 3]
      ] as const) {
        const { code, stderr } = yield* carillon(["posts", "import", "-", "--format", "csv"], bytes)
        assert.deepStrictEqual(
          [code, stderr.split("\n")[0]],
          [2, `carillon: Line ${line} of stdin is not text in UTF-8.`]
        )
      }
      const checked = yield* carillon(
        ["posts", "import", "-", "--format", "csv", "--dry-run"],
        `\ufeff${rows}`
      )
      assert.strictEqual(checked.code, 0, checked.stderr)
    })
  )

  it.effect("imports every row of a file or none, and none twice", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      // Uploads are remembered here, and the other commands forget those of the same picture.
      const own = join(home, "import")
      const total = Effect.map(call("GET", "/v1/posts?q=Row"), ({ body }) => body.meta.total as number)
      const rows = [
        "caption,to,at,media,sandbox.title,draft",
        `"Row, one",@demo,2100-06-01 09:00,${picture},One,`,
        "Row two,@demo,,,,yes"
      ]
      const broken = [
        ...rows,
        "Row three,@nobody,,,,true",
        `${"x".repeat(501)},@demo,now,,,`,
        "Row five,@demo,someday,,,",
        "Row six,@demo,,,,",
        "Row seven,@demo 2100-06-01 09:00,,,",
        "Row eight,@demo,now,,,true"
      ]
      const refused = yield* carillonIn(own, ["posts", "import", "-", "--format", "csv"], broken.join("\n"))
      assert.strictEqual(refused.code, 1)
      assert.match(
        refused.stderr,
        /6 problems in 8 rows; nothing was posted\..*line 4: .*@nobody.*line 5: .*501.*line 6: /s
      )
      assert.match(refused.stderr, /line 7: no publishing time\. .* "now" to publish immediately/)
      assert.match(refused.stderr, /line 8: 5 cells for 6 columns\. Separate all cells with commas/)
      assert.match(refused.stderr, /line 9: at is "now", which cannot be combined with draft/)
      assert.strictEqual(yield* total, 0)

      const file = [...rows, "Row two,@demo,,,,yes"].join("\n")
      const args = ["posts", "import", "-", "--format", "csv", "--tz", "Europe/Paris"]
      const first = yield* carillonIn(own, args, file)
      assert.strictEqual(first.code, 0, first.stderr)
      const made: ReadonlyArray<{ readonly line: number; readonly post: any }> = JSON.parse(first.stdout)
      assert.deepStrictEqual(
        made.map(({ line, post }) => [line, post.status, post.scheduled_at]),
        [
          [2, "scheduled", "2100-06-01T07:00:00.000Z"],
          [3, "draft", null],
          [4, "draft", null]
        ]
      )
      assert.lengthOf(made[0]!.post.media, 1)
      assert.deepStrictEqual(made[0]!.post.platform_configurations, { sandbox: { title: "One" } })

      const again = yield* carillonIn(own, args, file)
      assert.deepStrictEqual(
        JSON.parse(again.stdout).map(({ post }: any) => post.id),
        made.map(({ post }) => post.id)
      )
      assert.strictEqual(yield* total, 3)
      assert.strictEqual((yield* carillonIn(own, [...args, "--again"], file)).code, 0)
      assert.strictEqual(yield* total, 6)

      const atOnce = yield* carillonIn(own, args, "caption,to,at\nAt once,@demo,Now")
      assert.strictEqual(atOnce.code, 0, atOnce.stderr)
      const [{ post }] = JSON.parse(atOnce.stdout)
      assert.include(["scheduled", "publishing", "published"], post.status)
    })
  )

  it.effect("imports threads, and says at which line one is wrong", () =>
    Effect.gen(function* () {
      const imported = Effect.fnUntraced(function* (format: string, lines: ReadonlyArray<string>) {
        const { code, stderr, stdout } = yield* carillon(
          ["posts", "import", "-", "--format", format],
          lines.join("\n")
        )
        return { stderr, posts: code === 0 ? JSON.parse(stdout).map(({ post }: any) => post) : [] }
      })
      const columns = "caption,to,draft,thread_2,thread_2_media,thread_3,thread_fallback"
      const rows = [`Thread one,@demo,true,Second,${picture},Third,join`, "Thread two,@demo,true,,,,"]
      const fromCsv = yield* imported("csv", [columns, ...rows])
      const [first, single] = fromCsv.posts
      assert.isDefined(first, fromCsv.stderr)
      const [media] = first.thread[0].media
      assert.isString(media)
      const items = [
        { caption: "Second", media: [media] },
        { caption: "Third", media: [] }
      ]
      assert.deepInclude(first, { thread: items, thread_fallback: "join" })
      assert.isNull(single.thread)

      const line = { caption: "Thread three", to: "@demo", draft: true }
      const thread = [{ caption: "Second", media: [picture] }, "Third"]
      const fromLines = yield* imported("jsonl", [JSON.stringify({ ...line, thread })])
      assert.deepInclude(fromLines.posts[0], { thread: items, thread_fallback: null }, fromLines.stderr)

      const broken = yield* imported("csv", [
        columns,
        "Thread four,@demo,true,,,Third,",
        "Thread five,@demo,true,,missing.jpg,,"
      ])
      assert.include(
        broken.stderr,
        'line 2: thread_3 is "Third"; thread_2 is empty, and a thread cannot have gaps.'
      )
      assert.include(broken.stderr, 'line 3: thread_2: "missing.jpg" is not a file')
    })
  )

  it.effect("changes what is named of a post, and nothing that somebody else has set", () =>
    Effect.gen(function* () {
      const { id } = yield* json("post", "First", "--to", "@demo", "--draft", "--set", "sandbox.title=Bells")
      const edited = yield* json(
        "posts",
        "edit",
        id,
        "--caption",
        "Second",
        "--set",
        "sandbox.alt_text=Two bells",
        "--at",
        "2100-06-01T09:00Z"
      )
      assert.deepInclude(edited, {
        status: "draft",
        caption: "Second",
        scheduled_at: "2100-06-01T09:00:00.000Z",
        platform_configurations: { sandbox: { title: "Bells", alt_text: "Two bells" } }
      })
      const scheduled = yield* json("posts", "edit", id, "--schedule")
      assert.deepInclude(scheduled, { status: "scheduled", scheduled_at: "2100-06-01T09:00:00.000Z" })
      assert.strictEqual((yield* json("posts", "edit", id, "--draft")).status, "draft")
      assert.strictEqual((yield* json("posts", "publish", id, "--wait")).status, "published")
      const late = yield* carillon(["posts", "delete", id])
      assert.strictEqual(late.code, 5)
      assert.match(late.stderr, /Request ID: req_/)
      assert.lengthOf(yield* json("open", id), 1)
    })
  )

  it.effect("lists posts by their day and by when they were made, and drafts that have none", () =>
    Effect.gen(function* () {
      const id = (yield* json("post", "Daily bells", "--to", "@demo", "--draft")).id
      const found = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const { data } = yield* json("posts", "list", "--search", "Daily bells", ...args)
        return data.map((post: any) => post.id)
      })
      assert.deepStrictEqual(yield* found("--undated"), [id])
      assert.deepStrictEqual(yield* found("--undated", "--created-from", "today"), [id])
      assert.deepStrictEqual(yield* found("--created-from", "tomorrow"), [])
      assert.deepStrictEqual(yield* found("--created-to", "yesterday"), [])
      assert.deepStrictEqual(yield* found("--from", "2000-01-01", "--to", "2100-01-01"), [])
      yield* json("posts", "edit", id, "--at", "2100-06-01T09:00Z")
      assert.deepStrictEqual(yield* found("--from", "2100-06-01", "--to", "2100-06-01"), [id])
      assert.deepStrictEqual(yield* found("--undated"), [])
      const { days } = yield* json("calendar", "--from", "today", "--to", "tomorrow")
      assert.lengthOf(days, 2)
      for (const [args, why] of [
        [["posts", "list", "--from", "monday"], "give its date"],
        [["calendar", "--from", "tomorrow 09:00"], "the calendar has whole days"]
      ] as const) {
        const { code, stderr } = yield* carillon(args)
        assert.strictEqual(code, 2)
        assert.include(stderr, why)
      }
    })
  )

  it.effect("writes a thread, says where it broke off, and goes on behind what is live", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      yield* connect("ringer")
      // Of its own: a post forgets the upload of its file, which other commands here repeat.
      const second = join(home, "second.jpg")
      cpSync(join(repository, picture), second)
      yield* sandbox.script("ringer", [
        { on: "post", fault: "slow", ms: 0 },
        { on: "post", fault: "refuse", code: "banned_word" }
      ])
      const command = [
        "post",
        "One",
        "--to",
        "@ringer",
        "--then",
        "Two",
        "--then-media",
        second,
        "--then",
        "Three"
      ]
      const checked = yield* json(...command, "--dry-run")
      assert.deepStrictEqual(checked.request.thread, [
        { caption: "Two", media: [] },
        { caption: "Three", media: [] }
      ])
      const { code, stderr, stdout } = yield* carillon([...command, "--wait"])
      assert.strictEqual(code, 6, stderr)
      assert.match(stderr, /sandbox @ringer: published, 1 of 3 items, The sandbox rejected/)
      assert.match(stderr, /is live on 1 of 1 account; 2 thread items are missing\./)
      const { id } = JSON.parse(stdout)
      const [listed] = (yield* json("results", "--post", id)).data
      assert.strictEqual(listed.failed_items, 2)

      const again = yield* json("posts", "retry", id, "--wait")
      assert.isUndefined(again.progress.failed_items)
      const live = yield* sandbox.publications("ringer")
      assert.deepStrictEqual(
        live.map(({ media, text }) => [text, media.length]),
        [
          ["One", 0],
          ["Two", 1],
          ["Three", 0]
        ]
      )
      const draft = yield* json("post", "One", "--to", "@ringer", "--then", "Two", "--draft")
      assert.isNull((yield* json("posts", "edit", draft.id, "--no-then")).thread)
    })
  )

  it.effect("checks a post and sends nothing", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const unsent = join(home, "unsent.jpg")
      cpSync(join(repository, picture), unsent)
      const checked = yield* carillon([
        "post",
        "Dry",
        "--to",
        "@demo",
        "--media",
        unsent,
        "--at",
        "2100-06-01 09:00",
        "--tz",
        "Europe/Paris",
        "--dry-run"
      ])
      assert.strictEqual(checked.code, 0, checked.stderr)
      assert.deepInclude(JSON.parse(checked.stdout), {
        valid: true,
        scheduled_at: "2100-06-01T07:00:00.000Z",
        files: [unsent]
      })
      assert.include(checked.stderr, "At 2100-06-01 09:00:00 Europe/Paris (2100-06-01T07:00:00.000Z)")
      assert.strictEqual((yield* carillon(["posts", "validate", "x".repeat(501), "--to", "@demo"])).code, 1)
      assert.strictEqual((yield* call("GET", "/v1/media?q=unsent.jpg")).body.meta.total, 0)
      assert.strictEqual((yield* call("GET", "/v1/posts?q=Dry")).body.meta.total, 0)
    })
  )

  it.effect("tells by its exit code that the state of a thing does not allow it", () =>
    Effect.gen(function* () {
      const { id } = yield* json("post", "Conflicts", "--to", "@demo", "--draft")
      const nothing = yield* carillon(["posts", "retry", id])
      assert.strictEqual(nothing.code, 5, nothing.stderr)
      const [result] = (yield* json("results", "list", "--post", id)).data
      assert.strictEqual((yield* json("results", "show", result.id)).post_id, id)
      const confirmed = yield* carillon(["results", "confirm", result.id, "--not-published"])
      assert.strictEqual(confirmed.code, 5)
      assert.match(confirmed.stderr, /unconfirmed.*\n {2}Request ID: req_/s)
    })
  )

  it.effect("sends a file wherever a media id goes, and has the service fetch a URL", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const { body } = yield* call("POST", "/v1/social-accounts/connect", {
        platform: "youtube",
        redirect_url: "http://127.0.0.1:9/done"
      })
      yield* visitConsentPage(body.authorize_url, "films")
      const post = yield* json(
        "post",
        "A film",
        "--to",
        "youtube",
        "--media",
        "packages/server/test/media/fixtures/video.mp4",
        "--set",
        `youtube.thumbnail=${picture}`,
        "--draft"
      )
      const { thumbnail } = post.platform_configurations.youtube
      const item = yield* json("media", "show", thumbnail)
      assert.deepInclude(item, { name: "bells.jpg", status: "ready" })
      const imported = yield* json("media", "import", item.url, "--name", "again.jpg")
      assert.deepInclude(imported, { name: "again.jpg" })
      assert.include(
        (yield* json("media", "list", "--search", "again")).data.map(({ id }: { id: string }) => id),
        imported.id
      )
    })
  )

  it.effect("chooses by name among the sixty accounts of a sign-in, and lists them if none is named", () =>
    Effect.gen(function* () {
      const { authorize_url, pending_id } = yield* json(
        "accounts",
        "connect",
        "instagram",
        "--login",
        "facebook"
      )
      const early = yield* carillon(["accounts", "choose", pending_id])
      assert.strictEqual(early.code, 5, early.stderr)
      assert.include(early.stderr, "Nobody has signed in at instagram yet.")
      yield* signInAt(authorize_url, "script-sixty")
      const offer = yield* json("accounts", "choose", pending_id)
      assert.strictEqual(offer.status, "choosing")
      assert.lengthOf(offer.accounts, 60)
      const wrong = yield* carillon(["accounts", "choose", pending_id, "script-branch-61"])
      assert.strictEqual(wrong.code, 1, wrong.stderr)
      assert.include(wrong.stderr, 'does not offer "script-branch-61"')
      const names = ["script-branch-2", "@script-branch-60"]
      const chosen = yield* json("accounts", "choose", pending_id, ...names)
      assert.deepStrictEqual(
        chosen.map(({ username }: { username: string }) => username),
        ["script-branch-2", "script-branch-60"]
      )
      assert.deepStrictEqual(yield* json("accounts", "choose", pending_id), chosen)
    })
  )

  it.effect("sets where people are told, tests it and ends it", () =>
    Effect.gen(function* () {
      const { answerWith, received, url } = yield* receiver()
      assert.strictEqual((yield* json("notifications")).url, null)
      const set = yield* carillon(["notifications", "set", "--format", "json"], `${url}/s3cret\n`)
      assert.strictEqual(set.code, 0)
      assert.notInclude(set.stdout, "s3cret")
      yield* json("notifications", "test")
      assert.include(received[0]!.body, "This is a test.")
      answerWith(() => 500)
      const failed = yield* carillon(["notifications", "test"])
      assert.strictEqual(failed.code, 6)
      assert.include(failed.stderr, "the response was 500")
      yield* json("notifications", "delete", "--yes")
      assert.strictEqual((yield* carillon(["notifications", "test"])).code, 3)
    })
  )

  it.effect("asks a client about a post, shows what they said, and revokes the link", () =>
    Effect.gen(function* () {
      const { url: service } = yield* Service
      const post = yield* json("post", "Evening bells", "--to", "@demo", "--draft")
      const link = yield* json("reviews", "ask", post.id, "--name", "The baker", "--days", "7")
      const [, token] = String(link.url).split("#")
      const said = yield* Effect.promise(() =>
        fetch(`${service}/review/answers`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify({ name: "Bea", answer: "no", comment: "Louder.", version: post.version })
        })
      )
      assert.strictEqual(said.status, 200)
      const { data } = yield* json("reviews", "list", post.id)
      assert.deepInclude(data[0], { name: "Bea", answer: "no", comment: "Louder.", link_name: "The baker" })
      const { data: links } = yield* json("reviews", "links", post.id)
      assert.strictEqual(links[0].id, link.id)
      yield* json("reviews", "revoke", post.id, link.id)
      assert.deepStrictEqual((yield* json("reviews", "links", post.id)).data, [])
    })
  )

  it.effect("tests, repeats and resumes a webhook", () =>
    Effect.gen(function* () {
      const program = yield* receiver()
      // An event that no other case causes meanwhile.
      const { id } = yield* json("webhooks", "add", program.url, "--events", "account.needs_reconnect")
      const delivery = yield* json("webhooks", "test", id)
      assert.deepInclude(delivery, { status: "delivered", response_status: 200 })
      yield* json("webhooks", "redeliver", delivery.id)
      yield* until(() => program.received.length === 2)
      program.answerWith(() => 500)
      const failed = yield* carillon(["webhooks", "test", id])
      assert.strictEqual(failed.code, 6)
      assert.include(failed.stderr, "the response was 500")
      assert.strictEqual((yield* json("webhooks", "resume", id)).status, "active")
      yield* json("webhooks", "delete", id)
      assert.strictEqual((yield* carillon(["webhooks", "deliveries", id])).code, 3)
    })
  )
})
