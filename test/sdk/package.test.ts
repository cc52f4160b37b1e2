import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll } from "vitest"
import { connect } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const repository = join(import.meta.dirname, "../..")
const bin = (name: string) => join(repository, "node_modules/.bin", name)
const packed = join(repository, "packages/sdk/dist/package")
const exec = promisify(execFile)

/** A project of somebody else, with the packed SDK installed and nothing more. */
let project: string

beforeAll(async () => {
  await exec(process.execPath, [join(repository, "packages/sdk/pack/pack.ts")])
  project = mkdtempSync(join(tmpdir(), "carillon-project-"))
  const { stdout } = await exec("npm", ["pack", packed, "--json", "--pack-destination", project])
  const [{ filename }] = JSON.parse(stdout)
  write("package.json", JSON.stringify({ name: "somebody-else", private: true, type: "module" }))
  await exec("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: project })
}, 600_000)
afterAll(() => rmSync(project, { recursive: true, force: true }))

const write = (file: string, text: string) => {
  mkdirSync(join(project, file, ".."), { recursive: true })
  writeFileSync(join(project, file), text)
}

const environment = Effect.map(Service, ({ key, url }) => ({
  ...process.env,
  CARILLON_URL: url,
  CARILLON_API_KEY: key
}))

const run = Effect.fnUntraced(function* (program: string, ...args: ReadonlyArray<string>) {
  const env = yield* environment
  return yield* Effect.promise(() => exec(program, [...args], { cwd: project, env, timeout: 600_000 }))
})

/** Type-checks a program of the project as strictly as there is, and makes out/typed.js of it. */
const compile = Effect.fnUntraced(function* (program: string, compilerOptions: object) {
  const tsconfig = {
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2022", "DOM", "DOM.AsyncIterable", "ESNext.Disposable"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      outDir: "out",
      rootDir: "src",
      ...compilerOptions
    },
    include: ["src"]
  }
  write("tsconfig.json", JSON.stringify(tsconfig))
  write("src/typed.ts", program)
  yield* run(bin("tsc"), "-p", ".")
})

/** It is in the workspace already; the rest of the project is as it was. */
const installEffect = () => {
  const link = join(project, "node_modules/effect")
  if (!existsSync(link)) symlinkSync(join(repository, "node_modules/effect"), link)
}

/** Every part of the client that has to do with the platform it runs on: files, streams, time, signatures. */
const javascript = `
import { Carillon, NotFoundError, webhooks } from "@carillon/sdk"

const carillon = new Carillon()
let sent = 0
const picture = await carillon.media.upload(process.argv[2], { onProgress: (progress) => (sent = progress.sent) })
const again = await carillon.media.upload(new Blob([await (await fetch(picture.url)).arrayBuffer()], { type: "image/jpeg" }))
if (sent !== picture.size_bytes || again.sha256 !== picture.sha256) throw new Error("other bytes")
async function* bytes() { yield new Uint8Array(await (await fetch(picture.url)).arrayBuffer()) }
const streamed = await carillon.media.upload(bytes(), { size: picture.size_bytes, name: "bells.jpg" })
if (streamed.sha256 !== picture.sha256) throw new Error("other bytes of a stream")

const social_accounts = []
for await (const { id } of carillon.accounts.list({ platform: "sandbox" })) social_accounts.push(id)
const { id } = await carillon.posts.create({ social_accounts, caption: "From elsewhere", media: [picture.id] })
const post = await carillon.posts.waitUntilPublished(id, { timeout: 60_000 })

const error = await carillon.posts.get("nothing").catch((reason) => reason)
if (!(error instanceof NotFoundError) || !error.requestId) throw error
const forged = await webhooks.verify({}, "{}", "whsec_AAAA").catch((reason) => reason)
if (forged.code !== "webhook_header_missing") throw forged
const controller = new AbortController()
controller.abort(new Error("enough"))
const given = await carillon.profile.get({ signal: controller.signal }).catch((reason) => reason)
if (given.message !== "enough") throw given
console.log(post.results[0].platform_data.url)
`

const typescript = `
import { Carillon, type CreatePost, InvalidRequestError, type Post, webhooks } from "@carillon/sdk"

const carillon = new Carillon({ timeout: 10_000 })
const accounts = await carillon.accounts.list({ platform: ["sandbox"], status: "connected" })
const draft: CreatePost = {
  social_accounts: accounts.data.map(({ id }) => id),
  caption: "Typed",
  platform_configurations: { instagram: { placement: "reel" } }
}
const post: Post = await carillon.posts.create(draft)
for await (const { status, platform } of carillon.results.list({ post_id: post.id, status: "all" })) {
  const word: "waiting" | "publishing" | "published" | "failed" | "unconfirmed" = status
  console.log(platform, word)
}
const event = (await webhooks.verify(new Headers(), "", "").catch(() => undefined))
if (event?.type === "post.result") console.log(event.data.platform_data?.url)
try {
  await carillon.posts.create({ social_accounts: [] })
} catch (error) {
  if (error instanceof InvalidRequestError) console.log(error.errors[0]?.path)
}
// @ts-expect-error: no such status
carillon.posts.list({ status: "lost" })
// @ts-expect-error: no such option
void (() => carillon.posts.create({ social_accounts: [1], platform_configurations: { tiktok: { titel: "" } } }))
// @ts-expect-error: an account's id is a number
void (() => carillon.accounts.get("1"))
`

const effectful = `
import { Carillon } from "@carillon/sdk/effect"
import { Effect, Stream } from "effect"

const program = Effect.gen(function* () {
  const carillon = yield* Carillon
  const failure: string = yield* carillon.posts.get("nothing").pipe(
    Effect.as(""),
    Effect.catchTag("NotFoundError", ({ code }) => Effect.succeed(code))
  )
  const accounts: ReadonlyArray<{ readonly id: number }> = yield* Stream.runCollect(carillon.accounts.list().stream)
  return { failure, accounts: accounts.length }
})
console.log(JSON.stringify(await Effect.runPromise(program.pipe(Effect.provide(Carillon.layer)))))
`

layer(Layer.provideMerge(Layer.effectDiscard(connect("demo")), SharedService), {
  excludeTestServices: true
})("the packed SDK", (it) => {
  it.effect("installs alone, and holds nothing but itself", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(
        readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith(".")),
        ["@carillon"]
      )
      const installed = join(project, "node_modules/@carillon/sdk")
      const files = readdirSync(installed, { recursive: true, encoding: "utf8" })
      for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
        const text = readFileSync(join(installed, file), "utf8")
        const code = text.replaceAll(/^ *(?:\/?\*|\/\/).*$/gm, "")
        const imports = [...code.matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(([, from]) => from!)
        const foreign = [...new Set(imports)].filter((from) => !/^\.\.?\/.*\.js$/.test(from))
        assert.deepStrictEqual(foreign, file.startsWith("dist/effect.") ? ["effect"] : [], file)
      }
      assert.sameMembers(
        readdirSync(installed).filter((name) => !name.startsWith("dist")),
        ["LICENSE", "README.md", "docs", "package.json"]
      )
    })
  )

  it.effect("works from plain JavaScript", () =>
    Effect.gen(function* () {
      write("plain.mjs", javascript)
      const { stdout } = yield* run(
        process.execPath,
        "plain.mjs",
        join(repository, "examples/media/bells.jpg")
      )
      assert.match(stdout, /^http:\/\/\S+\n$/)
    })
  )

  it.effect("works from TypeScript, with every declaration checked, and its mistakes found", () =>
    Effect.gen(function* () {
      yield* compile(typescript, { module: "ESNext", moduleResolution: "Bundler" })
      yield* compile(typescript, { module: "NodeNext" })
      const { stdout } = yield* run(process.execPath, "out/typed.js")
      assert.include(stdout, "sandbox ")
      assert.include(stdout, "social_accounts")
    })
  )

  it.effect("the packed SDK has the Effect client beside it for whoever has effect", () =>
    Effect.gen(function* () {
      installEffect()
      yield* compile(effectful, { module: "NodeNext", skipLibCheck: true })
      const { stdout } = yield* run(process.execPath, "out/typed.js")
      const { accounts, failure } = JSON.parse(stdout)
      assert.strictEqual(failure, "not_found")
      assert.isAtLeast(accounts, 1)
    })
  )

  it.effect("the packed SDK does what its README says, word for word", () =>
    Effect.gen(function* () {
      const readme = readFileSync(join(project, "node_modules/@carillon/sdk/README.md"), "utf8")
      const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block!)
      const isEffect = (block: string) => block.includes("@carillon/sdk/effect")
      installEffect()
      copyFileSync(join(repository, "examples/media/bells.jpg"), join(project, "bells.jpg"))
      for (const program of [blocks.filter((block) => !isEffect(block)), blocks.filter(isEffect)]) {
        assert.isAtLeast(program.length, 1)
        yield* compile(program.join("\n"), { module: "NodeNext", skipLibCheck: true })
        const { stderr, stdout } = yield* run(process.execPath, "out/typed.js")
        assert.match(stdout, /http/, stderr)
      }
    })
  )

  it.effect("the packed SDK has an example for every member, and each of them compiles", () =>
    Effect.gen(function* () {
      installEffect()
      const installed = join(project, "node_modules/@carillon/sdk/dist")
      const declaration = (file: string) => readFileSync(join(installed, file), "utf8")
      const examples = (file: string) =>
        [...declaration(file).matchAll(/^ *\* ```ts\n([\s\S]*?)^ *\* ```/gm)].map(([, block]) =>
          block!.replaceAll(/^ *\* ?/gm, "").replaceAll(/^import .*$/gm, "")
        )
      const resources = readdirSync(join(installed, "resources"))
        .filter((file) => file.endsWith(".d.ts"))
        .map((file) => `resources/${file}`)
      for (const file of resources) {
        const undocumented = [...declaration(file).matchAll(/^(.*)\n {4}(\w+)\(/gm)]
          .filter(([, before, name]) => name !== "constructor" && before!.trim() !== "*/")
          .map(([, , name]) => name)
        assert.deepStrictEqual(undocumented, [], file)
        const [members, shown] = [declaration(file).match(/^ {4}(?!constructor)\w+\(/gm), examples(file)]
        assert.isAtLeast(shown.length, members!.length, file)
      }

      const promised = [
        ...resources,
        "Carillon.d.ts",
        "Errors.d.ts",
        "ListRequest.d.ts",
        "WebhookVerification.d.ts"
      ]
      const prelude = `
        import { Carillon, InvalidRequestError, type Media, type UploadReservation, webhooks } from "@carillon/sdk"
        declare const carillon: Carillon
        declare const [id, media_id, deliveryId, pending_id]: [string, string, string, string]
        declare const picture: Media
        declare const response: { readonly body: ReadableStream<Uint8Array> }
        declare const kept: UploadReservation
        declare const keep: (reservation: UploadReservation) => void
        declare const request: Request
        declare const writeFile: (name: string, bytes: ReadableStream<Uint8Array>) => Promise<void>
        declare const process: { readonly env: { readonly WEBHOOK_SECRET: string; readonly TIKTOK_SECRET: string } }`
      const programs = promised.flatMap(examples).map((block) => `void (async () => {\n${block}})`)
      assert.isAbove(programs.length, 40)
      yield* compile([prelude, ...programs].join("\n"), { module: "NodeNext" })

      const effects = examples("effect.d.ts").map(
        (block) => `void Effect.gen(function* () {\n const carillon = yield* Carillon\n {\n${block}}\n})`
      )
      assert.isAbove(effects.length, 3)
      const effectPrelude = `
        import { Carillon, verifyWebhook } from "@carillon/sdk/effect"
        import { Effect, Stream } from "effect"
        declare const program: Effect.Effect<void, never, Carillon>
        declare const request: Request
        declare const [body, secret]: [string, string]`
      yield* compile([effectPrelude, ...effects].join("\n"), { module: "NodeNext", skipLibCheck: true })
    })
  )

  it.effect("the packed SDK has exactly the types that the domain's schemas have", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(repository, "packages/sdk/dist/types-"))
      try {
        const names = [
          ...readFileSync(join(repository, "packages/sdk/src/Wire.ts"), "utf8").matchAll(
            /^export type (\w+)/gm
          )
        ].map(([, name]) => name!)
        assert.isAbove(names.length, 50)
        // In both directions, and neither of them `any`, which would be the same as everything.
        const checks = names.map(
          (name) => `export const ${name}: Same<Source.${name}, Published.${name}> = true`
        )
        writeFileSync(
          join(folder, "same.ts"),
          `import type * as Source from "../../src/Wire.ts"
import type * as Published from "../package/dist/Wire.js"
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? (0 extends 1 & A ? false : 0 extends 1 & B ? false : true) : false) : false
${checks.join("\n")}
`
        )
        writeFileSync(
          join(folder, "tsconfig.json"),
          JSON.stringify({
            extends: "../../../../tsconfig.base.json",
            compilerOptions: { noEmit: true, composite: false, incremental: false, plugins: [] },
            include: ["same.ts"]
          })
        )
        yield* run(bin("tsc"), "-p", folder)
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  )

  // Fetched from the registry: .ci/run asks for it.
  const runtimes = (process.env["SDK_RUNTIMES"] ?? "").split(",").filter((name) => name !== "")
  it.effect.each(runtimes)(
    "the packed SDK works on %s",
    (runtime) =>
      Effect.gen(function* () {
        write("plain.mjs", javascript)
        const flags = runtime.startsWith("deno@") ? ["run", "--allow-all", "--no-lock"] : []
        const { stdout } = yield* run(
          "npx",
          "-y",
          runtime,
          ...flags,
          "plain.mjs",
          join(repository, "examples/media/bells.jpg")
        )
        assert.match(stdout, /http:\/\/\S+\n$/)
      }),
    900_000
  )
})
