// Builds the console into `dist`, beside each file that shrinks its compressed forms, the page that hosts of MCP show into `app.html` beside
// it, and the page of review links into `review.html`. Says in `built.json` what it was built from.
// Does nothing where that has not changed.
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

const here = import.meta.dirname
const root = join(here, "../..")
const target = join(here, "dist/site")
/** A name of its own: another process may be building too. */
const making = join(here, `dist/making-${process.pid}`)

/**
 * The source of each room that is a file of its own, by the first part of its address, as `routes.tsx` has them. A page without
 * a component is drawn by its parent.
 */
const roomsOf = (routes: string) => {
  const rooms: Record<string, string> = {}
  const drawnBy: Record<string, string | undefined> = {}
  const found = [...routes.matchAll(/^const (\w+) = createRoute\(([^]*?)^\}\)/gm)]
  const count = routes.match(/\bcreateRoute[<(]/g)!.length
  if (found.length !== count)
    throw new Error(
      `build.ts can read ${found.length} of the ${count} routes in routes.tsx. Write each as "const name = createRoute({ ... })", and format the file.`
    )
  for (const [, name, route] of found) {
    const [, parent] = /getParentRoute: \(\) => (\w+)/.exec(route!)!
    const [, path] = /^ {2}path: "\/([^/"]*)/m.exec(route!) ?? []
    const [, own] = /import\("\.\/(.+?)"\)/.exec(route!) ?? []
    if (own === undefined && !/component: [A-Z]\w*/.test(route!) && route!.includes("component:"))
      throw new Error(
        `build.ts cannot read the component of the route "${name}" in routes.tsx. Import it at the top, or write lazyRouteComponent(() => import("./room/Page.tsx"), "Page").`
      )
    const source = own ?? drawnBy[parent!]
    drawnBy[name!] = source
    if (path !== undefined && source !== undefined) rooms[path] ??= source
  }
  return rooms
}

interface Chunk {
  readonly file: string
  readonly imports?: ReadonlyArray<string>
  readonly css?: ReadonlyArray<string>
}

/** The files that a room needs besides those of the first page, so that the page can name them. */
const filesOf = (manifest: Readonly<Record<string, Chunk>>, page: string, source: string) => {
  const found = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined)
      throw new Error(
        `The build has no file for ${name}, which routes.tsx names. Load the page only there: another import puts it into the first file.`
      )
    const { css = [], file, imports = [] } = chunk
    if (page.includes(file) || found.has(file)) return
    for (const one of [file, ...css]) found.add(one)
    imports.forEach(add)
  }
  add(source)
  return [...found]
}

const manifestName = "manifest.json"

/** Everything that the result depends on. */
const sources = ["packages/console/{*.html,*.ts}", "packages/{console,sdk,domain}/src/**/*", "pnpm-lock.yaml"]

const fingerprint = () => {
  const hash = createHash("sha256")
  for (const file of globSync(sources, { cwd: root }).sort()) {
    if (extname(file) !== "")
      hash
        .update(file)
        .update("\0")
        .update(readFileSync(join(root, file)))
        .update("\0")
  }
  return hash.digest("hex")
}

const built = (): string | undefined =>
  existsSync(join(target, "built.json"))
    ? JSON.parse(readFileSync(join(target, "built.json"), "utf8")).fingerprint
    : undefined

// Of whoever starts it: under Vitest's `test` React would be the one for development, which runs each effect twice.
process.env["NODE_ENV"] = "production"

const wanted = fingerprint()
if (built() !== wanted) {
  const { build } = await import("vite")
  const options = { root: here, logLevel: "warn" } as const
  await build({
    ...options,
    configFile: join(here, "vite.config.ts"),
    build: { outDir: making, emptyOutDir: true, manifest: manifestName }
  })
  await build({
    ...options,
    configFile: join(here, "vite.app.config.ts"),
    build: { outDir: making, emptyOutDir: false }
  })
  await build({
    ...options,
    configFile: join(here, "vite.review.config.ts"),
    build: { outDir: making, emptyOutDir: false }
  })
  // The font may only be passed on with its licence.
  copyFileSync(
    fileURLToPath(import.meta.resolve("@fontsource-variable/inter/LICENSE")),
    join(making, "OFL.txt")
  )
  const files = globSync("assets/*", { cwd: making })
  for (const file of files) {
    // It is compressed already.
    if (extname(file) === ".woff2") continue
    const content = readFileSync(join(making, file))
    writeFileSync(join(making, `${file}.gz`), gzipSync(content, { level: 9 }))
    writeFileSync(
      join(making, `${file}.br`),
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } })
    )
  }
  const manifest = JSON.parse(readFileSync(join(making, manifestName), "utf8"))
  rmSync(join(making, manifestName))
  const page = readFileSync(join(making, "index.html"), "utf8")
  const rooms = roomsOf(readFileSync(join(here, "src/routes.tsx"), "utf8"))
  const needs = Object.fromEntries(
    Object.entries(rooms).map(([room, source]) => [room, filesOf(manifest, page, `src/${source}`)])
  )
  writeFileSync(join(making, "built.json"), JSON.stringify({ fingerprint: wanted, files, rooms: needs }))
  rmSync(target, { recursive: true, force: true })
  renameSync(making, target)
}
