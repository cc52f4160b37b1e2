#!/usr/bin/env node
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { comparison, figure, type Measured } from "./Figures.ts"
import { intFlag } from "./intFlag.ts"
import {
  ask,
  type Child,
  circumstances,
  cpuMicros,
  residentMemory,
  startHelper,
  startSandbox,
  startService,
  temporaryDirectory
} from "./Processes.ts"
import type { Uploads, UploadsResult } from "./UploadGenerator.ts"

const type = "application/pdf"
const columns = ["MiB/s", "CPU s/GiB", "memory growth MiB"] as const
type Round = Measured<(typeof columns)[number]>

const bench = Effect.fn("bench.upload")(function* (options: {
  readonly mebibytes: number
  readonly rounds: number
  readonly atOnce: number
}) {
  const bytes = options.mebibytes * 1024 * 1024
  const directory = yield* temporaryDirectory
  const sandbox = yield* startSandbox
  const service = yield* startService({
    dataDir: join(directory, "data"),
    sandboxUrl: sandbox.url,
    databaseUrl: undefined,
    cpuProf: undefined
  })
  const bare = yield* startHelper("BareUpload", { BARE_DIRECTORY: directory })
  const generator = yield* startHelper("UploadGenerator")
  const call = (method: string, path: string, body?: object) =>
    Effect.promise(async () => {
      const response = await fetch(service.url + path, {
        method,
        headers: { authorization: `Bearer ${service.bootstrapKey}`, "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body)
      })
      const answer: any = await response.json()
      if (!response.ok) throw new Error(JSON.stringify(answer))
      return answer
    })

  const upload = Effect.fnUntraced(function* (child: Child, urls: ReadonlyArray<string>) {
    const before = yield* residentMemory(child.pid)
    const cpu = yield* cpuMicros(child.pid)
    let peak = before
    const watching = residentMemory(child.pid).pipe(
      Effect.tap((now) => Effect.sync(() => void (peak = Math.max(peak, now)))),
      Effect.andThen(Effect.sleep("50 millis")),
      Effect.forever
    )
    const result = yield* Effect.raceFirst(
      ask<UploadsResult>(generator, { urls, bytes, type } satisfies Uploads),
      watching
    )
    if (result.statuses.some((status) => status !== 200)) {
      return yield* Effect.die(new Error(`answered ${result.statuses.join(", ")}\n${child.output()}`))
    }
    const used = (yield* cpuMicros(child.pid)) - cpu
    const sent = urls.length * options.mebibytes
    return {
      "MiB/s": sent / result.seconds,
      "CPU s/GiB": used / 1e6 / (sent / 1024),
      "memory growth MiB": peak - before
    } satisfies Round
  })

  const own = Effect.fnUntraced(function* (count: number) {
    const reserved = yield* Effect.forEach(Array.from({ length: count }), () =>
      call("POST", "/v1/media/create-upload-url", { mime_type: type, size_bytes: bytes, name: "bench.pdf" })
    )
    const round = yield* upload(
      service,
      reserved.map(({ upload_url }) => upload_url)
    )
    yield* Effect.forEach(reserved, ({ media_id }) => call("DELETE", `/v1/media/${media_id}`))
    return round
  })

  /** The disk's own speed in MiB/s. */
  const disk = Effect.promise(async () => {
    const path = join(directory, "dd")
    const begun = performance.now()
    await promisify(execFile)("dd", [
      "if=/dev/zero",
      `of=${path}`,
      "bs=1M",
      `count=${options.mebibytes}`,
      "conv=fsync"
    ])
    const seconds = (performance.now() - begun) / 1000
    await promisify(execFile)("rm", [path])
    return options.mebibytes / seconds
  })

  yield* Console.log(yield* circumstances)
  for (const count of [1, options.atOnce]) {
    const found: readonly [Array<Round>, Array<Round>] = [[], []]
    // The first upload fills pools and compiles; it is not counted.
    yield* own(1)
    yield* upload(bare, [bare.ready.url])
    for (let index = 0; index < options.rounds; index++) {
      found[0].push(yield* own(count))
      found[1].push(
        yield* upload(
          bare,
          Array.from({ length: count }, () => bare.ready.url)
        )
      )
    }
    yield* Console.log(
      `\n${comparison(
        `${count} x ${figure(options.mebibytes)} MiB`,
        columns,
        { name: "service", rounds: found[0] },
        { name: "node:http, hash, flush", rounds: found[1] }
      )}`
    )
    yield* Console.log(`dd with fsync: ${figure(yield* disk)} MiB/s`)
  }
}, Effect.scoped)

const command = Command.make(
  "bench:upload",
  {
    mebibytes: intFlag("mebibytes", 1024, "Size of one upload"),
    rounds: intFlag("rounds", 3, "Rounds of each server"),
    atOnce: intFlag("at-once", 8, "Uploads at the same time in the second half")
  },
  bench
).pipe(
  Command.withDescription(
    "Uploads beside a bare node:http pipe with the same hash and flush, and dd with a flush"
  )
)

NodeRuntime.runMain(Effect.provide(Command.run(command, { version: "1" }), NodeServices.layer))
