#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import { join } from "node:path"

// Half of a start is compiling. Kept beside what was installed; where that cannot be written, nothing is kept.
enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/carillon/compiled"))
await import("./Run.ts")
