#!/usr/bin/env node
import * as module from "node:module"
import { join } from "node:path"

const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(`carillon-server: This is Node.js ${process.version}; 24.7 or later is needed.`)
  process.exit(1)
}

// Half of a start is compiling. Where the installation cannot be written, there is no cache.
module.enableCompileCache(join(import.meta.dirname, ".cache"))
const programs = ["migrate", "restore", "password"]
// The program reads what comes after its name.
const program = programs.includes(process.argv[2]) ? process.argv.splice(2, 1)[0] : "Run"
if (program === "Run" && process.argv.length > 2) {
  console.error(
    `carillon-server: ${process.argv[2]} is none of its words. Without one it starts; others are ${programs.join(", ")}.`
  )
  process.exit(1)
}
await import(`./src/${program}.ts`)
