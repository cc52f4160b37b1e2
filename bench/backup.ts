#!/usr/bin/env node
/**
 * What a backup and its restore cost: `node bench/backup.ts [posts] [media MB]`. Posts wait while rows are copied, so a
 * statement of the same service is timed all the while.
 */
import { EmbeddedDatabase } from "@carillon/server/sql/Embedded"
import { migratedDirectory, startService } from "@carillon/testing/ServiceProcess"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, createWriteStream, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { fill, settle } from "./ListData.ts"

const [posts = 10_000, mediaMegabytes = 0] = process.argv.slice(2).map(Number)
/** The size of one media item, in megabytes. */
const each = 50
const passphrase = "four bells in the north tower"
const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(1)
const megabytes = (bytes: number) => Math.round(bytes / 1e6)

/** A document of so many random bytes is taken for what it says it is. */
const document = () => {
  const bytes = Buffer.alloc(each * 1_000_000)
  crypto.getRandomValues(new Uint8Array(bytes.buffer, 0, 65_536))
  bytes.write("%PDF-1.4\n")
  return bytes
}

const main = Effect.gen(function* () {
  const directory = yield* TestDirectory.make
  const dataDir = join(directory, "before")
  cpSync(yield* migratedDirectory, dataDir, { recursive: true })
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const statement of [...fill(posts, 0), ...settle]) yield* sql.unsafe(statement).unprepared
  }).pipe(Effect.provide(EmbeddedDatabase.layer({ dataDir }), { local: true }))
  const service = yield* startService({ dataDir })
  for (let sent = 0; sent < mediaMegabytes; sent += each) {
    yield* service.upload(document(), "application/pdf", `${sent}.pdf`)
  }
  const before = service.memory()

  const file = join(directory, "backup.tar")
  const begun = performance.now()
  const waits: Array<number> = []
  const asked = Effect.gen(function* () {
    while (true) {
      const sent = performance.now()
      yield* service.call("GET", "/readyz")
      waits.push(performance.now() - sent)
      yield* Effect.sleep("5 millis")
    }
  })
  const saved = Effect.promise(async () => {
    const response = await fetch(`${service.url}/v1/backups`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: JSON.stringify({ include_media: true, passphrase })
    })
    const first = seconds(begun)
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(file))
    return { first, whole: seconds(begun) }
  })
  const { first, whole } = yield* Effect.raceFirst(saved, asked)
  const after = service.memory()
  yield* Console.log(
    `backup of ${posts} posts and ${mediaMegabytes} MB of media: ${whole} s (first byte after ${first} s), ${megabytes(statSync(file).size)} MB; ` +
      `memory ${megabytes(before.now)} MB before, ${megabytes(after.peak)} MB at most; ` +
      `a statement waited ${Math.round(Math.max(...waits))} ms at most (median ${Math.round(waits.toSorted((a, b) => a - b)[waits.length >> 1]!)} ms)`
  )
  yield* service.terminate

  const passphraseFile = join(directory, "passphrase")
  yield* Effect.promise(async () => (await import("node:fs/promises")).writeFile(passphraseFile, passphrase))
  const restoring = performance.now()
  let peak = 0
  const code = yield* Effect.promise(async () => {
    const child = spawn(
      process.execPath,
      ["packages/server/src/restore.ts", file, "--passphrase-file", passphraseFile],
      {
        env: { PATH: process.env["PATH"], DATA_DIR: join(directory, "after") },
        stdio: ["ignore", "inherit", "inherit"]
      }
    )
    const look = setInterval(() => {
      try {
        const [, kilobytes] = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))!
        peak = Math.max(peak, Number(kilobytes) * 1024)
      } catch {
        // It has ended.
      }
    }, 50)
    const [ended] = await once(child, "close")
    clearInterval(look)
    return ended
  })
  yield* Console.log(`restore: ${seconds(restoring)} s, ended with ${code}, ${megabytes(peak)} MB at most`)
}).pipe(Effect.scoped)

NodeRuntime.runMain(main)
