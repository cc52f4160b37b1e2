#!/usr/bin/env node
import * as module from "node:module"

const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `carillon: This is Node.js ${process.version}; 22.18 or later is needed.\n` +
      "  In the repository, npm run -s carillon -- … brings its own."
  )
  process.exit(1)
}

// JavaScript, and before anything else: with the cache no type is stripped twice, and what strips them is not loaded.
module.enableCompileCache()
const { run } = await import("./src/Cli.ts")

// A reader such as `head` may close the pipe early.
process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1))

process.exitCode = await run(process.argv.slice(2), process)
