/**
 * Packs what is published, the SDK, the command line and the server, as dist/*.tgz or into another folder:
 *
 *   npm run pack [-- FOLDER]
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { type Plugin, rolldown } from "rolldown"

const repository = join(import.meta.dirname, "..")
const destination = resolve(process.argv[2] ?? join(repository, "dist"))

const packageFolder = (name: string) => join(repository, "packages", name, "dist/package")
const json = (path: string) => JSON.parse(readFileSync(join(repository, path), "utf8"))

/** What every package says of itself. Its provenance is proven against the repository. */
const manifest = (name: string, more: Record<string, unknown>) => {
  const { bin, license, name: title, version } = json(`packages/${name}/package.json`)
  return {
    name: title,
    version,
    license,
    repository: {
      type: "git",
      url: "git+https://github.com/carillon/carillon.git",
      directory: `packages/${name}`
    },
    type: "module",
    bin,
    publishConfig: { access: "public", provenance: true },
    ...more
  }
}

const finish = (name: string, package_: Record<string, unknown>) => {
  const folder = packageFolder(name)
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(package_, null, 2)}\n`)
  cpSync(join(repository, "LICENSE"), join(folder, "LICENSE"))
  execFileSync("npm", ["pack", folder, "--silent", "--pack-destination", destination])
}

/** Bundles the workspace's own packages, and what else is not `external`, into dist. */
const bundle = async (
  name: string,
  target: string,
  input: Record<string, string>,
  external: ReadonlyArray<string>,
  plugins: ReadonlyArray<Plugin> = []
) => {
  const folder = packageFolder(name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const build = await rolldown({
    input,
    platform: "node",
    cwd: join(repository, "packages", name),
    external: (id) => external.some((dependency) => id === dependency || id.startsWith(`${dependency}/`)),
    transform: { target, define: { "import.meta.main": "false" } },
    plugins: [...plugins]
  })
  const { output } = await build.write({ dir: join(folder, "dist"), format: "esm" })
  cpSync(join(repository, "packages", name, "README.md"), join(folder, "README.md"))
  const start = `carillon${name === "cli" ? "" : `-${name}`}.js`
  const script = readFileSync(join(repository, "packages", name, start), "utf8")
  writeFileSync(join(folder, start), replaced(script, /\.\/src\/(.+?)\.ts/, "./dist/$1.js"))
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
  return [
    ...new Set(modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))
  ]
}

const replaced = (text: string, what: RegExp | string, by: string) => {
  const after = text.replace(what, by)
  if (after === text) throw new Error(`${what} is not there any more: the package would not find ${by}.`)
  return after
}

/** In the sources these lead to TypeScript files and to another package of the workspace. */
const besides: Plugin = {
  name: "files-besides",
  transform(code, id) {
    if (id.endsWith("/media/videos/VideoProbe.ts"))
      return replaced(code, 'URL("./VideoProbeWorker.ts"', 'URL("./VideoProbeWorker.js"')
    if (id.endsWith("/server/src/console/ConsoleSite.ts"))
      return replaced(code, '"../../../console"', '"console"')
    if (id.endsWith("/server/src/SandboxProcess.ts"))
      return replaced(
        code,
        'import.meta.resolve("@carillon/sandbox/main")',
        'new URL("./sandbox.js", import.meta.url)'
      )
    return
  }
}

/** The version that the lock file has installed. */
const installedVersion = (name: string, dependency: string): string =>
  json(`packages/${name}/node_modules/${dependency}/package.json`).version

const sdk = () => {
  execFileSync(process.execPath, [join(repository, "packages/sdk/pack/pack.ts")], { stdio: "inherit" })
  finish("sdk", { ...manifest("sdk", {}), ...json("packages/sdk/dist/package/package.json") })
}

const cli = async () => {
  const bundled = await bundle("cli", "node22", { Cli: "src/Cli.ts" }, [])
  const notices = bundled.map((path) => {
    const { license, name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"))
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry))
    if (file === undefined) throw new Error(`${name} is bundled and has no license file.`)
    return `${name} ${version}, ${license}\n\n${readFileSync(join(path, file), "utf8").trim()}\n`
  })
  writeFileSync(
    join(packageFolder("cli"), "LICENSES-OF-OTHERS"),
    notices.sort().join(`\n${"-".repeat(80)}\n\n`)
  )
  finish(
    "cli",
    manifest("cli", {
      description:
        "Command line of Carillon, the self-hosted service that schedules and publishes social posts.",
      engines: { node: ">=22.18" },
      files: ["dist", "carillon.js", "LICENSES-OF-OTHERS"]
    })
  )
}

const server = async () => {
  const own = ["server", "sandbox", "domain"]
  const dependencies = Object.fromEntries(
    own
      .flatMap((name) =>
        Object.keys(json(`packages/${name}/package.json`).dependencies).map((dependency) => [
          name,
          dependency
        ])
      )
      .filter(([, dependency]) => !dependency!.startsWith("@carillon/"))
      .map(([name, dependency]) => [dependency!, installedVersion(name!, dependency!)])
      .sort()
  )
  const input = {
    Run: "src/Run.ts",
    migrate: "src/migrate.ts",
    restore: "src/restore.ts",
    password: "src/password.ts",
    VideoProbeWorker: "src/media/videos/VideoProbeWorker.ts",
    sandbox: join(repository, "packages/sandbox/src/Run.ts")
  }
  await bundle("server", "node24", input, Object.keys(dependencies), [besides])
  cpSync(
    join(repository, "packages/server/src/sql/empty-database.tar.br"),
    join(packageFolder("server"), "dist/empty-database.tar.br")
  )
  execFileSync(process.execPath, [join(repository, "packages/console/build.ts")], { stdio: "inherit" })
  cpSync(
    join(repository, "packages/console/dist/site"),
    join(packageFolder("server"), "dist/console/dist/site"),
    {
      recursive: true
    }
  )
  finish(
    "server",
    manifest("server", {
      description: "Self-hosted service that schedules and publishes social posts.",
      engines: { node: ">=24.7" },
      files: ["dist", "carillon-server.js"],
      dependencies
    })
  )
}

if (!existsSync(destination)) mkdirSync(destination, { recursive: true })
sdk()
await cli()
await server()
