import { Effect } from "effect"
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "../../..")

let makings = 0

const sources = join(root, "packages/server/src/sql")

/** A hash of everything that decides what a new database holds. */
const fingerprint = () => {
  const hash = createHash("sha256")
  const files = ["empty-database.tar.br", "EmptyDatabase.ts", "Embedded.ts", "Migrations.ts"].concat(
    globSync("migrations/**/*.ts", { cwd: sources }).sort()
  )
  for (const file of files) hash.update(file).update(readFileSync(join(sources, file)))
  return hash.digest("hex").slice(0, 16)
}

/** Databases that take seconds to make, kept between runs and made anew when what they are made of has changed. */
export const kept = Effect.fn("TestCache.kept")(function* <E, R>(
  name: string,
  make: (path: string) => Effect.Effect<void, E, R>
) {
  const path = join(root, "node_modules/.cache/carillon", fingerprint(), name)
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
