import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { connect } from "@carillon/testing/Publishing"
import { freePort, Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import * as TestDirectory from "@carillon/testing/TestDirectory"

const repository = join(import.meta.dirname, "../..")

/** Starts a program as its first lines say, with the service's address and key. */
const start = Effect.fnUntraced(function* (args: ReadonlyArray<string>, env: Record<string, string> = {}) {
  const { key, url } = yield* Service
  return spawn(process.execPath, args, {
    cwd: repository,
    env: { ...process.env, CARILLON_URL: url, CARILLON_API_KEY: key, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
})

const ended = (child: ChildProcess) =>
  Effect.promise(async () => {
    const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)])
    if (child.exitCode === null) await once(child, "exit")
    assert.strictEqual(child.exitCode, 0, stderr)
    return stdout
  })

const run = (args: ReadonlyArray<string>, env?: Record<string, string>) =>
  Effect.flatMap(start(args, env), ended)

/** Until the program has said it. */
const says = (child: ChildProcess, words: RegExp) =>
  Effect.promise(async () => {
    let said = ""
    for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
      said += String(chunk)
      const found = words.exec(said)
      if (found !== null) return found
    }
    throw new Error(`It ended without ${words}: ${said}`)
  })

layer(Layer.provideMerge(Layer.effectDiscard(connect("demo")), SharedService), {
  excludeTestServices: true,
  concurrent: true
})("every example runs:", (it) => {
  it.effect("the example schedule-a-post.ts runs", () =>
    Effect.gen(function* () {
      const said = yield* run(["examples/schedule-a-post.ts"])
      assert.match(said, /^Scheduled \S+ for \S+Z\nPublished on sandbox: http:\/\/\S+\n$/)
    })
  )

  it.effect("campaign-from-csv.ts, twice, without scheduling anything twice", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const first = yield* run(["examples/campaign-from-csv.ts", "examples/campaign.csv"])
      assert.deepStrictEqual(
        first
          .trim()
          .split("\n")
          .map((line) => line.split("  ")[0]),
        ["2031-12-01T08:00:00.000Z", "2031-12-02T08:00:00.000Z", "2031-12-03T08:00:00.000Z"]
      )
      const posts = yield* call("GET", "/v1/posts?status=scheduled&from=2031-12-01T00:00:00Z")
      assert.deepStrictEqual(
        posts.body.data.map((post: { caption: string; media: ReadonlyArray<string> }) => [
          post.caption,
          post.media.length
        ]),
        [
          ["Door three.", 1],
          ["Door two, in two lines:\na rope and a wheel.", 0],
          ['Door one: "the bells", from above.', 1]
        ]
      )
      assert.strictEqual(yield* run(["examples/campaign-from-csv.ts", "examples/campaign.csv"]), first)
      const after = yield* call("GET", "/v1/posts?status=scheduled&from=2031-12-01T00:00:00Z")
      assert.strictEqual(after.body.meta.total, 3)
    })
  )

  it.effect("campaign-from-csv.ts, which schedules nothing of a file in which a row has no time", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const file = join(yield* TestDirectory.make, "broken.csv")
      writeFileSync(
        file,
        "at,to,caption,media\n2031-12-01T09:00Z,@demo,Broken one,\n,@demo,Broken two,\n2031-12-03T09:00Z @demo,Three,\n"
      )
      const child = yield* start(["examples/campaign-from-csv.ts", file])
      const [said, code] = yield* Effect.promise(() =>
        Promise.all([text(child.stderr!), once(child, "exit").then(([exit]) => exit)])
      )
      assert.strictEqual(code, 1)
      assert.match(
        said,
        /Row 3 .* has no time.*\nRow 4 .* has 3 cells for 4 columns.*\nNothing was scheduled/
      )
      assert.strictEqual((yield* call("GET", "/v1/posts?q=Broken")).body.meta.total, 0)
    })
  )

  it.effect("the example webhook-receiver.ts runs", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const port = yield* freePort
      const url = `http://127.0.0.1:${port}/`
      const webhook = yield* call("POST", "/v1/webhooks", { url, events: ["post.published"] })
      assert.strictEqual(webhook.status, 201, JSON.stringify(webhook.body))
      const receiver = yield* Effect.acquireRelease(
        start(["examples/webhook-receiver.ts"], {
          WEBHOOK_SECRET: webhook.body.secret,
          PORT: String(port)
        }),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      yield* says(receiver, /Listening/)
      const forged = yield* Effect.promise(() => fetch(url, { method: "POST", body: "{}" }))
      assert.strictEqual(forged.status, 400)
      yield* run(["examples/plain-javascript.mjs"])
      const [, link] = yield* says(receiver, /Published on sandbox: (http\S+)/)
      assert.isString(link)
    })
  )

  it.effect("the example effect-client.ts runs", () =>
    Effect.gen(function* () {
      const said = yield* run(["examples/effect-client.ts"])
      assert.match(said, /^Published: http:\/\/\S+\n\d+ posts are published\.\n$/)
    })
  )

  it.effect("the example plain-javascript.mjs runs", () =>
    Effect.gen(function* () {
      assert.match(yield* run(["examples/plain-javascript.mjs"]), /^Published: http:\/\/\S+\n$/)
    })
  )

  it.effect(
    "the step of github-actions/announce-release.yml, which announces once when it is run again",
    () =>
      Effect.gen(function* () {
        const sandbox = yield* SandboxProcess
        const folder = "examples/github-actions"
        const workflow = readFileSync(join(repository, folder, "announce-release.yml"), "utf8")
        const command = /run: node (\S+)\n$/.exec(workflow)![1]!
        const names = [...workflow.matchAll(/^ {10}([A-Z_]+): \$\{\{/gm)].map(([, name]) => name)
        assert.deepStrictEqual(names, ["CARILLON_URL", "CARILLON_API_KEY", "ACCOUNTS", "RELEASE", "LINK"])
        // Laid out as the first line of the file says.
        const checkout = mkdtempSync(join(repository, "node_modules/.cache-checkout-"))
        try {
          cpSync(join(repository, folder), join(checkout, ".github/workflows"), { recursive: true })
          const summary = join(checkout, "summary.md")
          const step = run([join(checkout, command)], {
            ACCOUNTS: String(yield* connect("demo")),
            RELEASE: "Bells 2.0",
            LINK: "https://example.com/bells",
            GITHUB_RUN_ID: "1",
            GITHUB_STEP_SUMMARY: summary
          })
          assert.match(yield* step, /^- sandbox: http/)
          assert.match(readFileSync(summary, "utf8"), /^- sandbox: http/)
          yield* step
        } finally {
          rmSync(checkout, { recursive: true })
        }
        const told = (yield* sandbox.publications("demo")).filter(({ text: words }) =>
          words.includes("Bells 2.0")
        )
        assert.deepStrictEqual(
          told.map(({ text: words }) => words),
          ["Bells 2.0 is out: https://example.com/bells"]
        )
      })
  )
})
