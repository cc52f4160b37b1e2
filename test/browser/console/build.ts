import { execFileSync } from "node:child_process"
import { join } from "node:path"

/** The services of all workers would build the console at their start, each by itself. */
export const setup = () =>
  void execFileSync(process.execPath, [join(import.meta.dirname, "../../../packages/console/build.ts")])
