/**
 * Packs what is published, the SDK, the command line and the server, as dist/*.tgz or into another folder:
 *
 *   npm run pack [-- FOLDER]
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { bundle, bundleServer, replaced, repository, serverPrograms } from "./bundle.ts"

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

/** An empty folder for what is published. */
const emptied = (name: string) => {
  const folder = packageFolder(name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** What is beside a package's bundle: its page, and the script that starts it. */
const besideBundle = (name: string) => {
  const folder = packageFolder(name)
  cpSync(join(repository, "packages", name, "README.md"), join(folder, "README.md"))
  const start = `carillon${name === "cli" ? "" : `-${name}`}.js`
  const script = readFileSync(join(repository, "packages", name, start), "utf8")
  writeFileSync(join(folder, start), replaced(script, /\.\/src\/(.+?)\.ts/, "./dist/$1.js"))
}

/** The version that the lock file has installed. */
const installedVersion = (name: string, dependency: string): string =>
  json(`packages/${name}/node_modules/${dependency}/package.json`).version

const sdk = () => {
  execFileSync(process.execPath, [join(repository, "packages/sdk/pack/pack.ts")], { stdio: "inherit" })
  finish("sdk", { ...manifest("sdk", {}), ...json("packages/sdk/dist/package/package.json") })
}

const cli = async () => {
  const output = await bundle({
    name: "cli",
    folder: join(emptied("cli"), "dist"),
    target: "node22",
    input: { Cli: "src/Cli.ts" },
    external: []
  })
  besideBundle("cli")
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
  const bundled = [
    ...new Set(modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))
  ]
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
  await bundleServer(join(emptied("server"), "dist"), serverPrograms, Object.keys(dependencies))
  besideBundle("server")
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
