/** What bundles the packages; as a program, it writes the service and the test network for TEST_BUNDLE. */
import { cpSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { type Plugin, rolldown } from "rolldown"

export const repository = join(import.meta.dirname, "..")

interface Bundle {
  readonly name: string
  readonly folder: string
  readonly target: string
  readonly input: Record<string, string>
  readonly external: ReadonlyArray<string>
  readonly plugins?: ReadonlyArray<Plugin>
  readonly define?: Record<string, string>
}

/** Bundles the workspace's own packages, and what else is not `external`. */
export const bundle = async ({
  name,
  folder,
  target,
  input,
  external,
  plugins = [],
  define = {}
}: Bundle) => {
  const build = await rolldown({
    input,
    platform: "node",
    cwd: join(repository, "packages", name),
    external: (id) => external.some((dependency) => id === dependency || id.startsWith(`${dependency}/`)),
    transform: { target, define: { "import.meta.main": "false", ...define } },
    // What dependencies do is theirs.
    checks: { eval: false },
    plugins: [...plugins]
  })
  const { output } = await build.write({ dir: folder, format: "esm" })
  return output
}

export const replaced = (text: string, what: RegExp | string, by: string) => {
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

/** The programs of the server, and the worker that one of them starts. */
export const serverPrograms = {
  Run: "src/Run.ts",
  migrate: "src/migrate.ts",
  restore: "src/restore.ts",
  password: "src/password.ts",
  VideoProbeWorker: "src/media/videos/VideoProbeWorker.ts",
  sandbox: join(repository, "packages/sandbox/src/Run.ts")
}

export const bundleServer = async (
  folder: string,
  input: Record<string, string>,
  external: ReadonlyArray<string>,
  define: Record<string, string> = {}
) => {
  await bundle({ name: "server", folder, target: "node24", input, external, plugins: [besides], define })
  cpSync(
    join(repository, "packages/server/src/sql/empty-database.tar.br"),
    join(folder, "empty-database.tar.br")
  )
}

/**
 * With Effect in them, half of the 1,600 files that a start reads otherwise. What else the server depends on stays outside, as it does
 * where a package is installed.
 */
if (import.meta.main) {
  const folder = join(repository, "packages/server/dist/bundle")
  const { dependencies } = JSON.parse(readFileSync(join(repository, "packages/server/package.json"), "utf8"))
  const external = Object.keys(dependencies).filter((name) => !/^(?:@carillon|@?effect)\b/.test(name))
  const { Run: main, migrate, restore, VideoProbeWorker, sandbox } = serverPrograms
  rmSync(folder, { recursive: true, force: true })
  // One by one: of what programs share, rolldown 1.2.19 loses what `export *` passes on of CommonJS.
  for (const [name, path] of Object.entries({ main, migrate, restore, VideoProbeWorker, sandbox }))
    // In the repository they name its commands, as their sources do.
    await bundleServer(folder, { [name]: path }, external, { "import.meta.filename": '"bundle.ts"' })
  symlinkSync(join(repository, "packages/console"), join(folder, "console"))
}
