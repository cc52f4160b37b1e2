// Installs what the service and the command line need of the lock file, with --with-tests all of it, and asks the package
// registry only if that has not been done yet. Runs on any Node from 20, before there are dependencies.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { constants, tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const modules = join(root, "node_modules")
/** Written after an install that went through to its end. */
const stamp = join(modules, ".installed")

const ownNode = join(modules, "node/bin/node")

/** What was installed stays, and is kept up to date. */
const withTests = process.argv.includes("--with-tests") || existsSync(join(modules, "vitest"))
/** From 24.7, Node runs TypeScript as it is and has the hash of passwords. For an older one, our own is downloaded. */
const [major, minor] = process.versions.node.split(".").map(Number)
const withNode = withTests || existsSync(ownNode) || major < 24 || (major === 24 && minor < 7)
/** An image has no console but the one that was built. */
const importers = [
  ".",
  "examples",
  ...["cli", "console", "domain", "sandbox", "sdk", "server"].map((name) => `packages/${name}`)
].filter((path) => existsSync(join(root, path, "package.json")))

const pnpm = "pnpm install --frozen-lockfile"
const toRun = [
  pnpm,
  "--prod",
  // Whoever changed the lock file had it verified; that reads a page of the registry about every package in it.
  "--trust-lockfile",
  // The only script that is allowed downloads Node.
  ...(withNode ? [] : ["--ignore-scripts"]),
  ...importers.map((path) => `--filter ./${path}`)
].join(" ")
const command = withTests ? pnpm : toRun

/**
 * What installs the rest, by the hashes of its own lock file. npm compares them before anything of it runs. The lock file has
 * the program of Linux with glibc, as in the image; elsewhere, pnpm itself names the program by its exact version.
 */
const pnpmFiles = ["package.json", "package-lock.json"].map((name) => join(root, "scripts/pnpm", name))
const pnpmInstall = "npm install --prefix . --prefer-offline --ignore-scripts=false --no-save --no-fund"

const lock = readFileSync(join(root, "pnpm-lock.yaml"), "utf8")
const wanted = createHash("sha256")
  .update(lock)
  .update(readFileSync(join(root, "pnpm-workspace.yaml")))
  .update(readFileSync(pnpmFiles[1]))
  .update([pnpm, process.platform, process.arch].join())
  .digest("hex")

/** Whether every package of the workspace that is to be installed finds each of its direct dependencies. */
const whole = () => {
  if (withNode && !existsSync(ownNode)) return false
  let importer = "."
  let kind
  for (const line of lock
    .split("\nimporters:\n")[1]
    .split(/\n(?=\S)/u, 1)[0]
    .split("\n")) {
    const [, name, list, dependency] = /^ {2}(\S+):$|^ {4}(\S+):$|^ {6}(\S+):$/u.exec(line) ?? []
    importer = name ?? importer
    kind = list ?? kind
    if (dependency === undefined) continue
    if (!withTests && (kind === "devDependencies" || !importers.includes(importer))) continue
    const path = join(root, importer, "node_modules", dependency.replaceAll("'", ""))
    if (!existsSync(join(path, "package.json"))) return false
  }
  return true
}

const installed = () => existsSync(stamp) && readFileSync(stamp, "utf8") === wanted && whole()

const install = () => {
  const first = existsSync(modules) ? "" : "; half a minute the first time"
  process.stderr.write(`Installing${first}.\n`)
  rmSync(stamp, { force: true })
  const directory = mkdtempSync(join(tmpdir(), "carillon-pnpm-"))
  for (const file of pnpmFiles) copyFileSync(file, join(directory, basename(file)))
  const steps = [
    'cd "$PNPM_DIRECTORY"',
    pnpmInstall,
    'PATH="$PNPM_DIRECTORY/node_modules/.bin:$PATH"',
    'cd "$OLDPWD"',
    `${command} --reporter=append-only`
  ]
  // A group of its own: a signal ends all that npm has started.
  const child = spawn(steps.join(" && "), {
    cwd: root,
    shell: true,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    // npm waits ten seconds and longer before it asks again.
    env: {
      npm_config_fetch_retry_mintimeout: "1000",
      npm_config_fetch_timeout: "60000",
      npm_config_audit: "false",
      ...process.env,
      PNPM_DIRECTORY: directory
    }
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      process.kill(-child.pid, signal)
      rmSync(directory, { recursive: true, force: true })
      process.exit(128 + constants.signals[signal])
    })
  }
  child.once("close", (code, signal) => {
    rmSync(directory, { recursive: true, force: true })
    if (code === 0 && whole()) return writeFileSync(stamp, wanted)
    process.stderr.write(
      `\nCarillon could not be installed: ${command} ended with ${code ?? signal}.\n\n` +
        `${output.trim().split("\n").slice(-15).join("\n")}\n\n` +
        "What is missing comes from the package registry that npm is set to. Check that this machine reaches it\n" +
        "(npm ping), then run the same again. Once it is installed, no registry is needed until pnpm-lock.yaml changes.\n\n"
    )
    process.exitCode = 1
  })
}

if (!installed()) install()
