import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { takePort } from "@carillon/testing/FreePort"
import { onTerminal } from "@carillon/testing/PseudoTerminal"
import { steady, typed } from "@carillon/testing/Transcript"

const repository = join(import.meta.dirname, "../..")
const exec = promisify(execFile)

/** The packages are declared to run from here on. */
const oldest = "node@22.23.3"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carillon-terminal-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** What a person has who never saw the repository: npm, and Node of this version. */
const machine = (node: string, home: string): Record<string, string> => {
  const others = (process.env["PATH"] ?? "").split(delimiter).filter((path) => !path.includes("node_modules"))
  return {
    // How this machine reaches the package registry.
    ...(process.env as Record<string, string>),
    PATH: [node, ...others].join(delimiter),
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    npm_config_cache: process.env["npm_config_cache"] ?? join(process.env["HOME"] ?? home, ".npm"),
    npm_config_update_notifier: "false"
  }
}

/** Starts the packed server with the one line of its README, in an empty folder. */
const serve = Effect.fnUntraced(function* (tarball: string, env: Readonly<Record<string, string>>) {
  const folder = yield* directory
  cpSync(tarball, join(folder, "carillon-server.tgz"))
  const [port, sandboxPort] = yield* Effect.promise(async () => [await takePort(), await takePort()])
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("npx", ["-y", "./carillon-server.tgz"], {
        cwd: folder,
        env: { ...env, PORT: String(port), SANDBOX_PORT: String(sandboxPort) },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"]
      })
    ),
    (started) =>
      Effect.promise(async () => {
        const closed = once(started, "close")
        if (started.exitCode === null && started.pid !== undefined) {
          process.kill(-started.pid, "SIGTERM")
          await closed
        }
      })
  )
  let output = ""
  const running = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk
        if (/Publish something now[^]*\n\n[^]*\n\n/.test(output)) resolve()
      })
    }
    child.once("close", () => reject(new Error(output)))
  })
  yield* Effect.promise(() => running)
  const { stdout } = yield* Effect.promise(() =>
    exec("npx", ["-y", "./carillon-server.tgz", "migrate", "--dry-run"], {
      cwd: folder,
      env: { ...env, DATA_DIR: join(folder, "elsewhere") }
    })
  )
  assert.include(stdout, "There is no database in")
  return {
    url: `http://localhost:${port}`,
    banner: output.slice(output.indexOf("Carillon is running.")),
    key: readFileSync(join(folder, ".data/first-key"), "utf8").trim()
  }
})

it.live("a newcomer installs the packages and publishes a post", ({ expect }) =>
  Effect.gen(function* () {
    const packed = existsSync(process.env["PACKAGES"] ?? "") ? process.env["PACKAGES"]! : yield* directory
    const home = yield* directory
    const folder = join(home, "campaign")
    mkdirSync(folder)
    cpSync(join(repository, "examples/media/bells.jpg"), join(folder, "bells.jpg"))
    if (readdirSync(packed).length === 0)
      yield* Effect.promise(() => exec(process.execPath, [join(repository, "scripts/pack.ts"), packed]))
    const tarball = (name: string) =>
      join(
        packed,
        readdirSync(packed).find((file) => file.startsWith(`carillon-${name}-`))!
      )

    const { stdout } = yield* Effect.promise(() =>
      exec("npx", ["-y", "-p", oldest, "-c", "command -v node"], { cwd: folder })
    )
    const env = { ...machine(dirname(stdout.trim()), home), npm_config_prefix: join(home, "npm") }
    const npm = (...args: ReadonlyArray<string>) =>
      Effect.promise(() => exec("npm", [...args, "--no-audit", "--no-fund"], { cwd: folder, env }))
    const server = yield* serve(tarball("server"), machine(dirname(process.execPath), home))
    cpSync(tarball("cli"), join(folder, "carillon-cli.tgz"))
    yield* npm("install", "-g", "./carillon-cli.tgz")

    const transcript = [
      `$ npx ./carillon-server.tgz\n${steady(server.banner).trimEnd()}\n`,
      "$ npm install -g ./carillon-cli.tgz\n"
    ]
    const carillon = Effect.fnUntraced(function* (
      args: ReadonlyArray<string>,
      asked?: { readonly prompt: string; readonly answer: string }
    ) {
      const terminal = yield* onTerminal(join(home, "npm/bin/carillon"), args, { cwd: folder, env })
      if (asked !== undefined) {
        yield* terminal.until(asked.prompt)
        terminal.type(`${asked.answer}\r`)
      }
      const code = yield* terminal.ended
      const screen = steady(terminal.screen())
      transcript.push(
        `$ ${typed("carillon", ...args)}\n${screen}\n[${code}]\n`.replaceAll(
          server.url,
          "http://localhost:4400"
        )
      )
      assert.strictEqual(code, 0, terminal.raw())
    })
    const list = yield* Effect.promise(() => exec("tar", ["-tzf", tarball("server")]))
    const [, script] = /console\/dist\/site\/(assets\/start\S+\.js)$/m.exec(list.stdout)!
    assert.include(list.stdout, "console/dist/site/OFL.txt\n")
    const console = yield* Effect.promise(() => fetch(`${server.url}/app/${script}`))
    assert.deepStrictEqual(
      [console.status, console.headers.get("content-type")],
      [200, "text/javascript; charset=utf-8"]
    )
    yield* carillon(["login", "--url", server.url, "--with-key"], { prompt: "API key: ", answer: server.key })
    yield* carillon(["doctor"])
    yield* carillon(["accounts", "connect", "sandbox", "bells"], { prompt: "assword", answer: "sandbox" })
    yield* carillon(["accounts"])
    yield* carillon(["media", "upload", "bells.jpg"])
    yield* carillon([
      "post",
      "Evening bells",
      "--media",
      "bells.jpg",
      "--to",
      "@bells",
      "--at",
      "+3s",
      "--wait"
    ])
    yield* carillon(["posts"])
    yield* carillon(["results"])
    yield* Effect.promise(() =>
      expect(transcript.join("\n")).toMatchFileSnapshot("../transcripts/newcomer.txt")
    )

    yield* npm("install", tarball("sdk"))
    const program =
      'import { Carillon } from "@carillon/sdk"; ' +
      "for await (const { username } of new Carillon().accounts.list({ username: ['bells'] })) console.log(username)"
    const said = yield* Effect.promise(() =>
      exec("node", ["--input-type=module", "-e", program], {
        cwd: folder,
        env: { ...env, CARILLON_URL: server.url, CARILLON_API_KEY: server.key }
      })
    )
    assert.strictEqual(said.stdout, "bells\n")
  })
)
