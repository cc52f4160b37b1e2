#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import { join } from "node:path"

// Half of a start is compiling. The service of this repository has the same cache.
enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/carillon/compiled"))
await import("./Run.ts")
