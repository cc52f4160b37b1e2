import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)

const module = fileURLToPath(new URL("../../../src/media/files/GcNudge.ts", import.meta.url))

/** Passes 1 GiB in buffers of 64 KiB, in a process of its own: nobody else's garbage is counted. */
const passing = (said: boolean) => `
  import { gcNudge } from ${JSON.stringify(module)}
  import { constants, PerformanceObserver } from "node:perf_hooks"
  const { NODE_PERFORMANCE_GC_MINOR, NODE_PERFORMANCE_GC_MAJOR, NODE_PERFORMANCE_GC_FLAGS_FORCED } = constants
  const found = { young: 0, whole: 0, gc: "gc" in globalThis }
  const note = (entries) => {
    for (const { detail: { kind, flags } } of entries) {
      if (kind === NODE_PERFORMANCE_GC_MAJOR) found.whole++
      if (kind === NODE_PERFORMANCE_GC_MINOR && flags & NODE_PERFORMANCE_GC_FLAGS_FORCED) found.young++
    }
  }
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ entryTypes: ["gc"] })
  for (let piece = 0; piece < 16_384; piece++) {
    const { length } = Buffer.allocUnsafeSlow(65_536)
    if (${said}) gcNudge(length)
    if (piece % 16 === 0) await new Promise(setImmediate)
  }
  note(observer.takeRecords())
  console.log(JSON.stringify(found))`

const collections = async (said: boolean) => {
  // Else a thread beside counts what was collected, and on a busy machine too late: the whole heap follows.
  const { stdout } = await run(process.execPath, [
    "--single-threaded-gc",
    "--input-type=module",
    "-e",
    passing(said)
  ])
  return JSON.parse(stdout) as { readonly young: number; readonly whole: number; readonly gc: boolean }
}

describe("a gibibyte that is passed on", () => {
  it("a process that passes on a gibibyte has its young buffers collected every 16 MiB, and the whole heap hardly ever", async () => {
    const { young, whole, gc } = await collections(true)
    assert.isAtLeast(young, 56)
    assert.isAtMost(young, 64)
    assert.isAtMost(whole, 3)
    // What else runs here gets no way to collect.
    assert.isFalse(gc)
  })

  it("a process that passes on a gibibyte has its whole heap collected again and again when nobody says so", async () => {
    const { young, whole } = await collections(false)
    assert.strictEqual(young, 0)
    assert.isAtLeast(whole, 6)
  })
})
