import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { contentOf } from "@carillon/testing/ExportedContent"
import { create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service, type ServiceCalls } from "@carillon/testing/ServiceProcess"
import { anotherWorkspace, SharedService } from "@carillon/testing/SharedService"
import * as TestDirectory from "@carillon/testing/TestDirectory"

const repository = join(import.meta.dirname, "../..")

const connected = Effect.fnUntraced(function* ({ call }: ServiceCalls, username: string) {
  const credentials = { username, password: "sandbox" }
  const { body } = yield* call("POST", "/v1/social-accounts", { platform: "sandbox", credentials })
  return body.id as number
})

/** In the workspace of the key. */
const carillon = Effect.fnUntraced(function* (key: string, ...args: ReadonlyArray<string>) {
  return yield* carillonAt((yield* Service).url, key, ...args)
})

const carillonAt = Effect.fnUntraced(function* (url: string, key: string, ...args: ReadonlyArray<string>) {
  const home = yield* TestDirectory.make
  return yield* Effect.promise(async () => {
    const child = spawn(process.execPath, ["packages/cli/carillon.js", ...args], {
      cwd: repository,
      env: { PATH: process.env["PATH"], HOME: home, CARILLON_URL: url, CARILLON_API_KEY: key }
    })
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once("close", resolve))
    ])
    return { code, stderr, result: stdout === "" ? undefined : JSON.parse(stdout) }
  })
})

/** A service that names what it has as it likes. */
const hostileService = ({ media, workspace }: { readonly media: unknown; readonly workspace: string }) =>
  listening(
    createServer((request, response) => {
      const { pathname } = new URL(request.url!, "http://here")
      const list = { data: [] as Array<unknown>, meta: { total: 0, offset: 0, limit: 200, next: null } }
      const item = { id: media, name: "a", mime_type: "image/png", size_bytes: 5, sha256: null }
      const here = `http://${request.headers.host}`
      const answers: Record<string, object> = {
        "/v1/profile": { timezone: "UTC", workspace: { id: workspace, name: "W" }, scopes: [] },
        "/v1/media": { ...list, data: [{ ...item, url: `${here}/bytes` }] },
        "/v1/queue": {}
      }
      const answer = pathname.startsWith("/v1/media/")
        ? { ...item, url: `${here}/bytes` }
        : (answers[pathname] ?? list)
      if (pathname === "/bytes") return response.end("pwned")
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
    })
  )

it.live.each([
  "../../pwned",
  "..\\..\\pwned",
  "/tmp/pwned-by-export",
  "..",
  "a\0b",
  "",
  `${"a".repeat(300)}`
])("an export writes nothing outside its folder for a media item with the ID %j", (media) =>
  Effect.gen(function* () {
    const directory = yield* TestDirectory.make
    const { port } = yield* hostileService({ media, workspace: "w" })
    const { code, stderr } = yield* carillonAt(
      `http://127.0.0.1:${port}`,
      "k",
      "export",
      join(directory, "a/b")
    )
    assert.deepStrictEqual([code, /cannot be part of a file name/.test(stderr)], [1, true], stderr)
    assert.deepStrictEqual(
      readdirSync(directory, { recursive: true })
        .toSorted()
        .filter((path) => !String(path).endsWith(".jsonl")),
      ["a", "a/b", "a/b/media", "a/b/media.jsonl.part"]
    )
  })
)

it.live("an import keeps its record in the folder, whatever the service calls the workspace", () =>
  Effect.gen(function* () {
    const directory = yield* TestDirectory.make
    const folder = join(directory, "a/imported-/b")
    const honest = yield* hostileService({ media: "m", workspace: "w" })
    const made = yield* carillonAt(`http://127.0.0.1:${honest.port}`, "k", "export", folder)
    assert.strictEqual(made.code, 0, made.stderr)
    const { port } = yield* hostileService({ media: "m", workspace: "../../../pwned" })
    const { code, stderr } = yield* carillonAt(`http://127.0.0.1:${port}`, "k", "import", folder)
    assert.deepStrictEqual([code, /cannot be part of a file name/.test(stderr)], [1, true], stderr)
  })
)

layer(SharedService, { excludeTestServices: true, concurrent: true })("export and import", (it) => {
  it.effect("bring drafts and media into another workspace once, publish nothing, and hold no secret", () =>
    Effect.gen(function* () {
      const from = yield* Service
      const to = yield* anotherWorkspace
      const folder = join(yield* TestDirectory.make, "tower")
      const again = join(yield* TestDirectory.make, "again")

      const [both, alone] = [yield* connected(from, "export-both"), yield* connected(from, "export-alone")]
      const bells = readFileSync(join(repository, "examples/media/bells.jpg"))
      const picture = yield* from.upload(bells, "image/jpeg", "bells.jpg")
      const other = yield* from.upload(Buffer.concat([bells, Buffer.alloc(1)]), "image/jpeg", "other.jpg")
      yield* from.call("PATCH", `/v1/media/${picture}`, { alt_text: "Three bells" })
      yield* create({
        social_accounts: [both, alone],
        caption: "A plan",
        media: [picture],
        scheduled_at: inSeconds(86_400),
        thread: ["A second", { caption: "A third", media: [other, picture] }],
        thread_fallback: "join",
        account_configurations: [
          { account_id: both, caption: "Mine", media: [other], thread: [{ media: [picture] }] }
        ]
      })
      yield* create({ social_accounts: [both], caption: "B draft", is_draft: true })
      const lonely = yield* create({ social_accounts: [alone], caption: "C lonely", is_draft: true })
      yield* settled((yield* create({ social_accounts: [both], caption: "D out", thread: ["D second"] })).id)

      const exported = yield* carillon(from.key, "export", folder)
      assert.strictEqual(exported.code, 0, exported.stderr)
      assert.deepInclude(exported.result, { posts: 4, accounts: 2, media: 2 })
      const all = ["workspace.json", "accounts.jsonl", "posts.jsonl", "media.jsonl"]
        .map((name) => readFileSync(join(folder, name), "utf8"))
        .join("\n")
      assert.notMatch(all, /signature|credentials|token|secret/i)
      assert.notInclude(all, from.key)

      const here = yield* connected(to, "export-both")
      const bytes = readFileSync(join(folder, "media", other))
      writeFileSync(join(folder, "media", other), bytes.toReversed())
      assert.match((yield* carillon(to.key, "import", folder)).stderr, /other\.jpg .* is damaged/)
      writeFileSync(join(folder, "media", other), bytes)
      const first = yield* carillon(to.key, "import", folder)
      assert.strictEqual(first.code, 6, first.stderr)
      assert.deepInclude(first.result, {
        imported_before: 0,
        left_out: 1,
        missing_accounts: ["sandbox/@export-alone"],
        failed: [`${lonely.id}: none of its accounts is connected here`]
      })
      assert.lengthOf(first.result.imported, 2)
      const { body } = yield* to.call("GET", "/v1/posts")
      for (const post of body.data) {
        assert.deepStrictEqual([post.status, post.social_accounts], ["draft", [here]])
      }

      // Only what was left is brought in, once the account is there.
      yield* connected(to, "export-alone")
      const second = yield* carillon(to.key, "import", folder, "--published")
      assert.strictEqual(second.code, 0, second.stderr)
      assert.deepInclude(second.result, { imported_before: 2, left_out: 0, failed: [] })
      const third = yield* carillon(to.key, "import", folder, "--published")
      assert.deepInclude(third.result, { imported: [], imported_before: 4 })
      assert.strictEqual((yield* to.call("GET", "/v1/posts")).body.meta.total, 4)
      assert.strictEqual((yield* to.call("GET", "/v1/media")).body.meta.total, 2)

      assert.strictEqual((yield* carillon(to.key, "export", again)).code, 0)
      const [plan, ...rest] = contentOf(folder)
      const [planAgain, ...restAgain] = contentOf(again)
      assert.match(plan!.files[0], /^bells\.jpg Three bells /)
      assert.deepStrictEqual(
        plan!.thread?.map(([, files]) => files.length),
        [0, 2]
      )
      // Its other account was not connected when it came in.
      assert.deepStrictEqual(planAgain, { ...plan!, accounts: ["export-both"] })
      assert.deepStrictEqual(restAgain, rest)

      const mixed = yield* carillon(to.key, "export", folder)
      assert.match(mixed.stderr, /contains an export of another workspace/)
      writeFileSync(join(again, "notes.txt"), "")
      assert.match(
        (yield* carillon(to.key, "export", again)).stderr,
        /contains notes\.txt, which is not part of an export/
      )
      assert.match((yield* carillon(to.key, "import", repository)).stderr, /workspace\.json is missing/)
    })
  )
})
