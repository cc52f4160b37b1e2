import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** An empty directory, deleted when the scope closes. */
export const make = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "carillon-test-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)
