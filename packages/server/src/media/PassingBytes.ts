import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

// Only what is young is collected, which takes about a millisecond. `--expose-gc` has no other way in at run time.
setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as (options: { readonly type: "minor" }) => void
setFlagsFromString("--no-expose-gc")

const enough = 16 * 1024 * 1024
let passed = 0

/**
 * Says that buffers of so many bytes were passed on. V8 marks the whole heap for every 64 MB of buffers that nobody has
 * collected, for a tenth of a second and more each time, and hardly ever collects the young ones before: they are a few
 * small objects each. A collection of those in time spares it the other.
 */
export const bytesPassed = (bytes: number) => {
  passed += bytes
  if (passed < enough) return
  passed = 0
  collect({ type: "minor" })
}
