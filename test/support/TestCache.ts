import { Effect } from "effect"
import { existsSync } from "node:fs"
import { mkdir, readFile, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "../..")

let makings = 0

/** Files and directories that take seconds to make, kept between runs and made anew for another PGlite. */
export const kept = Effect.fn("TestCache.kept")(function* <E, R>(
  name: string,
  make: (path: string) => Effect.Effect<void, E, R>
) {
  const installed = join(root, "packages/server/node_modules/@electric-sql/pglite/package.json")
  const { version } = JSON.parse(yield* Effect.promise(() => readFile(installed, "utf8")))
  const path = join(root, "node_modules/.cache/carillon", `${name}-${version}`)
  if (existsSync(path)) return path

  // Tests run at once and each may be the first: whoever is ready first wins.
  const unfinished = `${path}.${process.pid}.${++makings}`
  yield* Effect.promise(() => mkdir(dirname(path), { recursive: true }))
  yield* make(unfinished)
  yield* Effect.promise(() =>
    rename(unfinished, path).catch(() => rm(unfinished, { recursive: true, force: true }))
  )
  return path
})
