// Builds the console into `dist`, beside each file its compressed forms, and says in `dist/built.json` what it was built from.
// Does nothing where that has not changed.
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { extname, join, relative } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

const here = import.meta.dirname
const root = join(here, "../..")
const target = join(here, "dist/site")
/** A name of its own: another process may be building too. */
const making = join(here, `dist/making-${process.pid}`)

/** Everything that the result depends on. */
const sources = [
  "packages/console/{index.html,*.ts}",
  "packages/{console,sdk,domain}/src/**/*",
  "pnpm-lock.yaml"
]

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

const wanted = fingerprint()
if (built() !== wanted) {
  const { build } = await import("vite")
  await build({
    root: here,
    configFile: join(here, "vite.config.ts"),
    logLevel: "warn",
    build: { outDir: making, emptyOutDir: true }
  })
  const files = globSync("**/*.*", { cwd: making }).map((file) => relative(".", file))
  for (const file of files) {
    if (file === "index.html") continue
    const content = readFileSync(join(making, file))
    writeFileSync(join(making, `${file}.gz`), gzipSync(content, { level: 9 }))
    writeFileSync(
      join(making, `${file}.br`),
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } })
    )
  }
  writeFileSync(join(making, "built.json"), JSON.stringify({ fingerprint: wanted, files }))
  rmSync(target, { recursive: true, force: true })
  renameSync(making, target)
}
