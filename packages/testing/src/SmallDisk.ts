import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const mount = (path: string, mebibytes: number) =>
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", path]).status === 0

const unmount = (path: string) => {
  execFileSync("umount", ["-l", path])
  rmdirSync(path)
}

/** Why there can be no small disk here; null where there can. */
export const withoutDisk: string | null = (() => {
  if (process.getuid?.() !== 0) return "only root may mount a small disk"
  const path = mkdtempSync(join(tmpdir(), "carillon-disk-"))
  if (!mount(path, 1)) return "a small disk cannot be mounted here"
  unmount(path)
  return null
})()

/** A disk of its own, which can be filled to its last byte and freed again. */
export const make = (mebibytes: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const path = mkdtempSync(join(tmpdir(), "carillon-disk-"))
        if (!mount(path, mebibytes)) throw new Error(`${path} cannot be mounted`)
        return path
      }),
      (path) => Effect.sync(() => unmount(path))
    ),
    (path) => {
      const filler = join(path, "filler")
      return {
        path,
        fill: Effect.sync(() => {
          const file = openSync(filler, "a")
          try {
            for (const size of [1 << 20, 4096]) fillWith(file, Buffer.alloc(size))
          } finally {
            closeSync(file)
          }
        }),
        free: Effect.sync(() => rmSync(filler))
      }
    }
  )

const fillWith = (file: number, bytes: Buffer) => {
  try {
    while (writeSync(file, bytes) > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
  }
}
