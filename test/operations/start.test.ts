import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { hash } from "node:crypto"
import { once } from "node:events"
import {
  appendFileSync,
  lstatSync,
  readFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, beforeAll, describe } from "vitest"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { takePort } from "@carillon/testing/FreePort"
import { onTerminal } from "@carillon/testing/PseudoTerminal"

const repository = join(import.meta.dirname, "../..")

/** A copy of the tree, installed: its packages are links to ours. */
const root = mkdtempSync(join(tmpdir(), "carillon-copy-"))
const stamp = "node_modules/.installed"

const inModules = readdirSync(join(repository, "node_modules")).map((name) => `node_modules/${name}`)

beforeAll(() => {
  execFileSync("node", ["scripts/install.mjs", "--with-tests"], { cwd: repository })
  const inTree = (path: string) => !["node_modules", ".git", ".data", "dist"].includes(basename(path))
  cpSync(repository, root, { recursive: true, filter: (path) => path === repository || inTree(path) })
  mkdirSync(join(root, "node_modules"))
  linkModules()
})

/** What is installed here is installed there, too. */
function linkModules() {
  const packages = readdirSync(join(repository, "packages")).map((name) => `packages/${name}/node_modules`)
  for (const path of [
    ...inModules,
    ...packages,
    "examples/node_modules",
    "test/contract/client/node_modules"
  ]) {
    if (path !== stamp && !existsSync(join(root, path))) symlinkSync(join(repository, path), join(root, path))
  }
  cpSync(join(repository, stamp), join(root, stamp))
}

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What leads nowhere: a registry that nobody answers for, and nothing from before in npm's cache. */
const environment = Effect.promise(async () => {
  const [port, sandboxPort] = [await takePort(), await takePort()]
  return {
    PATH: (process.env["PATH"] ?? "")
      .split(":")
      .filter((path) => !path.includes("node_modules"))
      .join(":"),
    HOME: join(root, ".home"),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    npm_config_registry: "http://127.0.0.1:9",
    npm_config_fetch_retries: "0",
    npm_config_cache: join(root, ".home/npm")
  }
})

const started = (env: Record<string, string>, program = "npm", ...args: Array<string>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        spawn(program, [...args, "start"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    ),
    (child) => {
      let output = ""
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
      // All that it has started holds its output: this is their end too.
      const ended = once(child, "close") as Promise<[number | null, string | null]>
      const ready = new Promise<void>((resolve) =>
        child.stdout.on("data", () => output.includes("Carillon is running.") && resolve())
      )
      return {
        child: child as ChildProcess,
        ready: Effect.promise(() =>
          Promise.race([ready, ended.then(() => Promise.reject(new Error(output)))])
        ),
        ended: Effect.promise(() => ended),
        output: () => output
      }
    }
  )

const unplugged = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec npm "$1"', "sh"] as const
const canUnplug = spawnSync("unshare", ["-n", "ip", "link", "set", "lo", "up"]).status === 0

const install = (env: Record<string, string>, ...args: Array<string>) =>
  spawnSync(process.execPath, ["scripts/install.mjs", ...args], { cwd: root, env, encoding: "utf8" })

/** As `npm start` leaves a fresh clone. */
const withoutTests = () => {
  for (const path of [...inModules, "packages/testing/node_modules"]) {
    if (path !== stamp && path !== "node_modules/node" && path !== "node_modules/.bin")
      rmSync(join(root, path), { recursive: true, force: true })
  }
}

const data = join(root, ".data")

/** What of the data others than its owner may use. */
const openToOthers = () =>
  readdirSync(data, { recursive: true, encoding: "utf8" }).filter(
    (path) => (lstatSync(join(data, path), { throwIfNoEntry: false })?.mode ?? 0) & 0o077
  )

/** The environments of processes that have this in theirs. */
const environmentsWith = (variable: string) =>
  readdirSync("/proc").flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")
      return environment.includes(variable) ? [environment.join("\n")] : []
    } catch {
      return []
    }
  })

describe("npm start", () => {
  it.live(
    "needs no test tools and no network once it is installed, and ends on SIGTERM with all that it has started",
    () =>
      Effect.gen(function* () {
        const env = yield* environment
        withoutTests()
        const service = yield* started(env, ...(canUnplug ? unplugged : (["npm"] as const)))
        yield* service.ready
        assert.deepStrictEqual(openToOthers(), [])
        assert.notInclude(service.output(), "has no picture")
        service.child.kill("SIGTERM")
        assert.deepStrictEqual(yield* service.ended, [0, null], service.output())
      })
  )

  it.live("hands the test network no secret, and takes all along when killed", () =>
    Effect.gen(function* () {
      const service = yield* started({
        ...(yield* environment),
        CARILLON_BOOTSTRAP_API_KEY: "secret-of-the-service-alone"
      })
      yield* service.ready
      const [testNetwork] = environmentsWith(`SANDBOX_DIR=${join(data, "sandbox")}`)
      assert.isDefined(testNetwork)
      assert.notInclude(testNetwork, "secret-of-the-service-alone")
      service.child.kill("SIGKILL")
      assert.deepStrictEqual(yield* service.ended, [null, "SIGKILL"])
    })
  )

  it.live("ends with success on Ctrl-C", () =>
    Effect.gen(function* () {
      const env = yield* environment
      const terminal = yield* onTerminal("npm", ["start"], { cwd: root, env })
      yield* terminal.until("Carillon is running.")
      terminal.type("\u0003")
      assert.strictEqual(yield* terminal.ended, 0, terminal.raw())
      assert.notInclude(terminal.raw(), "Carillon stopped")
      const [refused] = yield* Effect.promise(() =>
        Promise.allSettled([fetch(`http://127.0.0.1:${env.PORT}/healthz`)])
      )
      assert.strictEqual(refused.status, "rejected")
    })
  )

  it.live(
    "ends with success however often it is told to, as npm passes on the Ctrl-C that the service has heard",
    () =>
      Effect.gen(function* () {
        const service = yield* started(yield* environment, process.execPath, "packages/server/src/main.ts")
        yield* service.ready
        const again = setInterval(() => service.child.kill("SIGINT"), 1)
        assert.deepStrictEqual(yield* service.ended, [0, null], service.output())
        clearInterval(again)
      })
  )

  it.live(
    "npm start has what it needs where the tests are installed, and the tests what they need after it",
    () =>
      Effect.gen(function* () {
        const env = yield* environment
        withoutTests()
        const asks = /could not be installed: pnpm install --frozen-lockfile ended with 1/
        const small = install(env, "--with-tests")
        assert.deepStrictEqual([small.status, asks.test(small.stderr)], [1, true], small.stderr)
        linkModules()
        for (const args of [["--with-tests"], [], ["--with-tests"]]) {
          const { status, stderr } = install(env, ...args)
          assert.deepStrictEqual([status, stderr], [0, ""])
        }
      })
  )

  it.live("runs nothing of a pnpm that is not the one whose hash the lock file has", () =>
    Effect.gen(function* () {
      withoutTests()
      const folder = join(root, ".other")
      mkdirSync(folder)
      const { pnpm: version } = JSON.parse(
        readFileSync(join(repository, "scripts/pnpm/package.json"), "utf8")
      ).dependencies
      const leaves = `#!/bin/sh\ntouch "${folder}/ran"\n`
      writeFileSync(join(folder, "pnpm"), leaves, { mode: 0o755 })
      writeFileSync(
        join(folder, "package.json"),
        JSON.stringify({ name: "pnpm", version, bin: "pnpm", scripts: { preinstall: "sh ./pnpm" } })
      )
      execFileSync("npm", ["pack", "--silent"], { cwd: folder })
      const tarball = readFileSync(join(folder, `pnpm-${version}.tgz`))
      const integrity = `sha512-${hash("sha512", tarball, "base64")}`
      const { port } = yield* listening(
        createServer(({ headers, url }, response) => {
          if (url!.endsWith(".tgz")) return response.end(tarball)
          if (url !== "/pnpm") return response.writeHead(404).end("{}")
          const dist = { tarball: `http://${headers.host}/pnpm/-/pnpm-${version}.tgz`, integrity }
          const found = { name: "pnpm", version, bin: { pnpm: "pnpm" }, hasInstallScript: true, dist }
          response.end(
            JSON.stringify({ name: "pnpm", "dist-tags": { latest: version }, versions: { [version]: found } })
          )
        })
      )
      const env = { ...(yield* environment), npm_config_registry: `http://127.0.0.1:${port}` }
      const installing = spawn(process.execPath, ["scripts/install.mjs", "--with-tests"], { cwd: root, env })
      let said = ""
      installing.stderr.on("data", (chunk) => (said += chunk))
      const [code] = yield* Effect.promise(() => once(installing, "close"))
      assert.strictEqual(code, 1)
      assert.isFalse(existsSync(join(folder, "ran")))
      assert.match(said, /EINTEGRITY/)
      linkModules()
    })
  )

  it.live("packing after it installs what it needs first", () =>
    Effect.gen(function* () {
      const env = yield* environment
      withoutTests()
      const { stderr } = spawnSync("npm", ["run", "pack"], { cwd: root, env, encoding: "utf8" })
      assert.match(stderr, /could not be installed:/)
      assert.notInclude(stderr, "ERR_MODULE_NOT_FOUND")
      linkModules()
    })
  )

  it.live("downloads no Node where the machine's own runs TypeScript", () =>
    Effect.gen(function* () {
      const env = yield* environment
      withoutTests()
      // The package, without what its script downloads.
      const node = join(root, "node_modules/node")
      rmSync(node)
      mkdirSync(node)
      cpSync(join(repository, "node_modules/node/package.json"), join(node, "package.json"))
      const { status, stderr } = install(env)
      rmSync(node, { recursive: true })
      assert.deepStrictEqual([status, stderr], [0, ""])
    })
  )

  for (const [what, change] of [
    ["the lock file has changed", () => appendFileSync(join(root, "pnpm-lock.yaml"), "\n# changed\n")],
    ["a package is missing", () => rmSync(join(root, "node_modules/effect"))]
  ] as const) {
    it.live(`asks the registry when ${what}, and says what failed and what to do`, () =>
      Effect.gen(function* () {
        linkModules()
        cpSync(join(repository, "pnpm-lock.yaml"), join(root, "pnpm-lock.yaml"))
        change()
        const service = yield* started(yield* environment)
        assert.deepStrictEqual(yield* service.ended, [1, null])
        assert.match(
          service.output(),
          /could not be installed: pnpm .* ended with 1\.[^]*ECONNREFUSED[^]*registry[^]*npm ping/
        )
      })
    )
  }
})
