import {
  appsOf,
  credentialForms,
  platformApps,
  platformFacts,
  type PlatformId,
  platformIds,
  platformRules,
  problemCodes
} from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { NodeHttpClient } from "@effect/platform-node"
import { architecturePage, drawnDiagram, targetDiagram } from "@carillon/testing/TargetDiagram"
import { generatedPart, limitsAndOptions, normalised, pageOf } from "@carillon/testing/PlatformPages"
import { connect } from "@carillon/testing/Publishing"
import { freePort, Service } from "@carillon/testing/ServiceProcess"
import { anotherWorkspace, instance, SharedService } from "@carillon/testing/SharedService"
import * as TestDirectory from "@carillon/testing/TestDirectory"

const repository = join(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(repository, path), "utf8")
const run = promisify(execFile)

/** Runs a script as somebody who pastes it would, but stops at the first line that fails. */
const paste = (script: string, env: Record<string, string>) =>
  Effect.promise(() =>
    run("bash", ["-euo", "pipefail", "-c", script], {
      cwd: repository,
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env }
    })
  )

/** A script that goes on until the scope closes. */
const inTheBackground = (script: string, env: Record<string, string>) =>
  Effect.gen(function* () {
    let said = ""
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn("bash", ["-euo", "pipefail", "-c", script], {
          cwd: repository,
          env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
          stdio: ["ignore", "pipe", "pipe"],
          // With a group of its own, which ends as a whole.
          detached: true
        })
      ),
      (child) =>
        Effect.promise(async () => {
          if (child.exitCode !== null) return
          process.kill(-child.pid!, "SIGTERM")
          await once(child, "close")
        })
    )
    const says = (words: RegExp) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve, reject) => {
            const look = () => words.test(said) && resolve()
            for (const stream of [child.stdout, child.stderr]) {
              stream.on("data", (chunk) => {
                said += String(chunk)
                look()
              })
            }
            child.once("close", () => reject(new Error(`It ended without ${words}: ${said}`)))
            look()
          })
      )
    return { says }
  })

const isConnected = (platform: PlatformId) => platform in credentialForms || appsOf(platform).length > 0

const shellBlocks = (path: string) =>
  [...read(path).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!)

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(repository, "docs"), { recursive: true })
    .map((file) => `docs/${String(file)}`)
    .filter((file) => file.endsWith(".md"))
]

describe("the documentation", () => {
  it("the documentation has a row for every code of an error, in the words of the service", () => {
    const rows = read("docs/errors.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split("|").map((cell) => cell.trim()))
    assert.deepStrictEqual(
      rows,
      Object.entries(problemCodes).map(([code, [status, title, action]]) => [
        "",
        `\`${code}\``,
        String(status),
        title,
        action,
        ""
      ])
    )
  })

  it.each(Object.values(platformRules).map((rules) => [rules.platform, rules] as const))(
    "the documentation has the limits and options of %s as the rules have them; else run npx node packages/testing/src/PlatformPages.ts",
    (platform, rules) => {
      const page = readFileSync(pageOf(platform), "utf8")
      assert.strictEqual(generatedPart(page), normalised(limitsAndOptions(rules)))
      assert.strictEqual(page.includes("This release does not publish to"), !isConnected(platform))
    }
  )

  it("says in the README which platforms accounts can be connected of, and leads to the page of each", () => {
    const page = read("README.md")
    const paragraph = (beginning: string) => page.split(beginning)[1]!.split(/\n(?:- |\n)/)[0]!
    const connected = paragraph("- **Accounts** of")
    const toCome = paragraph("## What it does not do yet\n\n").split(".")[0]!
    for (const platform of platformIds.filter((id) => id !== "sandbox")) {
      const { name } = platformFacts[platform]
      const named = (text: string) => new RegExp(`\\b${name}\\b`).test(text)
      assert.strictEqual(named(connected), isConnected(platform), name)
      assert.strictEqual(named(toCome), !isConnected(platform), name)
      if (isConnected(platform)) assert.include(page, `](docs/platforms/${platform}.md)`)
    }
  })

  it("the documentation has a row for every environment variable that the service reads", () => {
    const sources = ["AppConfig.ts", "Logging.ts"]
      .map((file) => read(`packages/server/src/${file}`))
      .join("\n")
    const variables = [
      ...[...sources.matchAll(/"([A-Z][A-Z0-9_]+)"/g)].map(([, name]) => name!),
      ...Object.values(platformApps).flatMap((app) => app.variables)
    ]
    assert.isAbove(variables.length, 10)
    for (const name of variables) assert.include(read("docs/configuration.md"), `\`${name}\``)
  })

  it("draws the states of a target as they are; else run npx node packages/testing/src/TargetDiagram.ts", () => {
    assert.strictEqual(drawnDiagram(readFileSync(architecturePage, "utf8")), targetDiagram())
  })

  it("lists every decision, a screen at most, under its number and title", () => {
    const index = read("docs/decisions/README.md")
    const listed = [...index.matchAll(/^\| (\d+) +\| \[(.+?)\]\((\S+)\) +\|/gm)].map(([, ...row]) => row)
    const decisions = readdirSync(join(repository, "docs/decisions"))
      .filter((file) => /^\d/.test(file))
      .map((file) => {
        const page = read(`docs/decisions/${file}`)
        assert.isAtMost(page.split("\n").length, 61, `${file} is longer than a screen`)
        const [, number, title] = /^# (\d+)\. (.+)$/m.exec(page) ?? []
        return [number, title, file]
      })
    assert.deepStrictEqual(listed, decisions)
  })

  it("the documentation has no cell of a table that is too long to be read", () => {
    for (const page of pages) {
      for (const [row] of read(page).matchAll(/^\|.*$/gm)) {
        if (/^[| :-]+$/.test(row)) continue
        for (const cell of row.split("|")) assert.isBelow(cell.trim().length, 300, `${page}: ${cell}`)
      }
    }
  })

  it("links only to files that are there", () => {
    for (const page of pages) {
      for (const [, target] of read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        assert.doesNotThrow(
          () => readdirOrFile(join(repository, page, "..", target!)),
          `${page} links to ${target}`
        )
      }
    }
  })

  it("names only files and folders of the repository that are there to those who change it", () => {
    const files = globSync(["**", ".ci/*"], {
      cwd: repository,
      exclude: ["**/node_modules", "**/dist", ".git", ".data"]
    })
    const isThere = (path: string) => files.some((file) => `/${file}`.endsWith(`/${path.replace(/\/$/, "")}`))
    for (const page of ["CONTRIBUTING.md", "docs/architecture.md"]) {
      const named = [
        ...read(page).matchAll(/`([\w.-]*(?:\/[\w.-]*)+|[\w.-]+\.(?:css|md|mjs|tsx?|yml))`/g)
      ].map(([, path]) => path!)
      assert.isAbove(named.length, 10)
      assert.deepStrictEqual(
        named.filter((path) => !/^\/|^\.data/.test(path) && !isThere(path)),
        [],
        page
      )
    }
  })
})

const readdirOrFile = (path: string) => {
  try {
    return readdirSync(path)
  } catch {
    return readFileSync(path)
  }
}

/** The command line without npm before it, which the lines above its definition and the first start show. */
const withoutNpm = (script: string) => {
  const shorter = 'carillon() { npm run -s carillon -- "$@"; }'
  assert.include(script, shorter)
  return script.replace(shorter, `carillon() { "${process.execPath}" packages/cli/carillon.js "$@"; }`)
}

/** A workspace for the page alone, with an account; the environment of its commands. */
const environment = Effect.fnUntraced(function* (username: string) {
  yield* connect(username)
  const { key, url } = yield* Service
  const home = yield* TestDirectory.make
  return { CARILLON_URL: url, CARILLON_API_KEY: key, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home }
})

const alone = <A, E, R>(page: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const calls = yield* anotherWorkspace
    return yield* Effect.updateService(page, Service, (service) => ({ ...service, ...calls }))
  })

layer(SharedService, { excludeTestServices: true, concurrent: true })("every command in", (it) => {
  it.effect("every command in docs/cli.md runs", () =>
    Effect.gen(function* () {
      const script = shellBlocks("docs/cli.md")
        .join("\n")
        .replace(/^export CARILLON_API_KEY=.*$/m, "")
      const { stdout } = yield* paste(withoutNpm(script), yield* environment("demo"))
      assert.include(stdout, "Evening bells")
      assert.include(stdout, "Bells, in the morning")
    }).pipe(alone)
  )

  it.effect("every command in docs/api.md runs", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const script = shellBlocks("docs/api.md")
        .join("\n")
        .replace(/^export CARILLON_.*$/gm, "")
      const { stdout } = yield* paste(script, yield* environment("read-by-curl"))
      assert.match(stdout, /idempotency-replayed: true/i)
      assert.match(stdout, /"code":"stale_version"/)
      assert.match(stdout, /"code":"invalid_request"/)
      assert.match(stdout, /"status":"ready"/)
      // The page made one draft, although it sent it twice, and deleted it.
      assert.strictEqual((yield* service.call("GET", "/v1/posts?status=draft")).body.meta.total, 0)
    }).pipe(alone)
  )

  it.effect("every command in docs/coming-from-post-bridge.md runs", () =>
    Effect.gen(function* () {
      const script = shellBlocks("docs/coming-from-post-bridge.md")
        .join("\n")
        .replace(/^export CARILLON_.*$/gm, "")
      const { stdout } = yield* paste(script, yield* environment("read-in-words"))
      assert.match(stdout, /"success":true.*"error":null/)
      assert.match(stdout, /"data":\[\{.*"status":"posted"/)
    }).pipe(alone)
  )

  it.effect("every command in docs/backup.md runs", () =>
    Effect.gen(function* () {
      const { key } = yield* instance
      const directory = yield* TestDirectory.make
      const script = shellBlocks("docs/backup.md")
        .join("\n")
        .replace(/^export CARILLON_.*$/gm, "")
        .replaceAll(/\b(carillon\.tar|rows\.tar|passphrase)\b(?!-)/g, `${directory}/$1`)
      const env = { ...(yield* environment("saved-by-the-page")), CARILLON_API_KEY: key }
      const { stdout } = yield* paste(withoutNpm(script), env)
      assert.match(stdout, /"secret": true/)
      assert.match(stdout, /^manifest\.json$/m)
      assert.match(stdout, /"name":"Default"/)
    }).pipe(alone)
  )

  it.effect("every command in docs/platforms/sandbox.md runs", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const script = shellBlocks("docs/platforms/sandbox.md")
        .filter((block) => !block.startsWith("node packages/sandbox"))
        .join("\n")
        .replace(/^S=.*$/m, `S=${sandbox.url}`)
        // The other pages publish as demo, and shall not meet the faults.
        .replaceAll("demo", "faulty")
      yield* paste(script, {})
      assert.isTrue((yield* sandbox.publications("faulty")).some(({ text }) => text === "Hello"))
    })
  )

  it.effect("every command in docs/tour.md runs", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const env = {
        ...(yield* environment("demo")),
        CARILLON_ACCOUNT_PASSWORD: "bell-bell-bell-bell"
      }
      const [setUp, ...blocks] = shellBlocks("docs/tour.md").map((block) =>
        block
          .replace(/^export CARILLON_.*$/gm, "")
          .replace("bluesky alice.bsky.social", "bluesky tour.bsky.sandbox")
          // What a person types in answer to the command.
          .replace(/^(?=carillon accounts connect telegram)/m, "CARILLON_ACCOUNT_PASSWORD=7654321:sandbox ")
          .replace(
            /^(?=carillon accounts connect discord)/m,
            `CARILLON_ACCOUNT_PASSWORD=${sandbox.url}/discord.com/api/webhooks/765432100000000001/sandbox-tour `
          )
      )
      const toured = (...more: ReadonlyArray<string | undefined>) => withoutNpm([setUp, ...more].join("\n"))
      const listening = blocks.findIndex((block) => block.includes("webhooks listen"))
      const tours = yield* paste(toured(...blocks.slice(0, listening)), env)
      assert.include(tours.stdout, "bsky.app/profile/tour.bsky.sandbox/post/")
      assert.lengthOf(yield* sandbox.on("bluesky").publications("tour"), 1)
      for (const [network, account, link] of [
        ["telegram", "bells_today", "t.me/bells_today/1"],
        ["discord", "tour", "discord.com/channels/"]
      ] as const) {
        const [publication] = yield* sandbox.on(network).publications(account)
        assert.deepInclude(publication, { text: `Hello, ${network === "telegram" ? "channel" : "server"}` })
        assert.lengthOf(publication!.media, 1)
        assert.include(tours.stdout, link)
      }
      assert.match(tours.stdout, /Written by an agent.*posts:publish/s)

      const listener = yield* inTheBackground(toured(blocks[listening]), env)
      yield* listener.says(/Listening/)
      yield* paste(toured(...blocks.slice(listening + 1)), env)
      yield* listener.says(/"type":"post\.published".*Ring, ring/s)
    }).pipe(alone, Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("the first words of a first start runs exactly as it is printed", () =>
    Effect.gen(function* () {
      const [port, sandboxPort] = [yield* freePort, yield* freePort]
      const dataDir = mkdtempSync(join(tmpdir(), "carillon-"))
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, ["packages/server/src/main.ts"], {
            cwd: repository,
            env: {
              PATH: process.env["PATH"] ?? "",
              PORT: String(port),
              SANDBOX_PORT: String(sandboxPort),
              DATA_DIR: dataDir
            },
            stdio: ["ignore", "pipe", "inherit"]
          })
        ),
        (child) =>
          Effect.promise(async () => {
            child.kill("SIGKILL")
            await once(child, "exit")
            rmSync(dataDir, { recursive: true, force: true })
          })
      )
      const words = yield* Effect.promise(async () => {
        let said = ""
        // Left open: the service may say more.
        for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
          said += String(chunk)
          if (/Publish something now.*?\n\n.*?\n\n/s.test(said)) return said
        }
        throw new Error(said)
      })
      const commands = words.split("\n").filter((line) => /^ {2}(export|npm) /.test(line))
      assert.lengthOf(commands, 3)
      const { stdout } = yield* paste(commands.join("\n"), {
        XDG_CONFIG_HOME: dataDir,
        XDG_CACHE_HOME: dataDir
      })
      assert.include(stdout, "Hello from Carillon")
      const feed = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${sandboxPort}/`).then((page) => page.text())
      )
      assert.include(feed, "Hello from Carillon")
      assert.match(feed, /<img[^>]+media/)
    })
  )
})
