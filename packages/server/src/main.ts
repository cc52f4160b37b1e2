#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import { join } from "node:path"

// Half of a start is compiling. The cache is beside the installation; where that cannot be written, there is none.
enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/carillon/compiled"))
await import("./Run.ts")
