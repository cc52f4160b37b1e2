#!/usr/bin/env node
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { join } from "node:path"
import type { Answer } from "../test/contract/Checker.ts"
import { send, type WireRequest } from "../test/contract/Wire.ts"
import { worstBodies } from "../test/contract/WorstBodies.ts"
import { figure, table } from "./Figures.ts"
import { circumstances, startSandbox, startService, temporaryDirectory } from "./Processes.ts"

const bench = Effect.fn("bench.worst-bodies")(function* (options: {
  readonly atOnce: number
  readonly accounts: number
}) {
  const directory = yield* temporaryDirectory
  const sandbox = yield* startSandbox
  const { url, bootstrapKey } = yield* startService({
    dataDir: join(directory, "data"),
    sandboxUrl: sandbox.url,
    databaseUrl: undefined,
    cpuProf: undefined
  })
  const headers = { authorization: `Bearer ${bootstrapKey}` }
  yield* Console.log(yield* circumstances)

  /** The slowest answer of `/healthz`, asked again and again until all of these are answered, in milliseconds. */
  const slowestBeside = async (requests: ReadonlyArray<WireRequest>) => {
    let slowest = 0
    const answers: Array<Answer> = []
    const sent = Promise.all(
      requests.map(async (request) => {
        answers.push(await send(url, { ...request, headers: { ...headers, ...request.headers } }))
      })
    )
    do {
      const begun = performance.now()
      await send(url, { method: "GET", target: "/healthz", headers: {} })
      slowest = Math.max(slowest, performance.now() - begun)
    } while (answers.length < requests.length)
    await sent
    return { slowest, answers }
  }

  const connect = async (index: number) => {
    const body = JSON.stringify({
      platform: "sandbox",
      credentials: { username: `bell${index}`, password: "sandbox" }
    })
    const json = { ...headers, "content-type": "application/json" }
    const answer = await send(url, { method: "POST", target: "/v1/social-accounts", headers: json, body })
    return JSON.parse(answer.text).id as number
  }
  const accounts = yield* Effect.promise(() =>
    Promise.all(Array.from({ length: options.accounts }, (_, index) => connect(index)))
  )

  const rows: Array<ReadonlyArray<string>> = []
  let worst = 0
  for (const [name, request] of Object.entries(worstBodies(accounts))) {
    const body = Buffer.from(request.body ?? "")
    const sent = request.body === undefined ? request : { ...request, body }
    // The first compiles.
    yield* Effect.promise(() => slowestBeside([sent]))
    const alone = yield* Effect.promise(() =>
      taken(() => send(url, { ...sent, headers: { ...headers, ...sent.headers } }))
    )
    const parsed = yield* Effect.promise(() => taken(async () => parse(body.toString())))
    const { slowest, answers } = yield* Effect.promise(() =>
      slowestBeside(Array.from({ length: options.atOnce }, () => sent))
    )
    worst = Math.max(worst, slowest)
    rows.push([
      name,
      String(body.length || request.target.length),
      String(answers[0]!.status),
      String(Buffer.byteLength(answers[0]!.text)),
      figure(alone),
      figure(parsed),
      figure(slowest)
    ])
  }
  yield* Console.log(
    table([
      [
        "body",
        "bytes",
        "status",
        "answer, bytes",
        "ms",
        "JSON.parse alone, ms",
        `slowest /healthz beside ${options.atOnce}, ms`
      ],
      ...rows
    ])
  )
  yield* Console.log(`\nslowest of all: ${figure(worst)} ms`)
}, Effect.scoped)

/** How long it takes, in milliseconds. */
const taken = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Bodies that are no JSON take their time too. */
const parse = (text: string) => {
  try {
    JSON.parse(text)
  } catch {}
}

const command = Command.make(
  "bench:worst-bodies",
  {
    atOnce: Flag.Int("at-once").pipe(
      Flag.withDefault(12),
      Flag.withDescription("How many of one body are sent at the same time")
    ),
    accounts: Flag.Int("accounts").pipe(
      Flag.withDefault(60),
      Flag.withDescription("How many accounts a post is for")
    )
  },
  bench
).pipe(
  Command.withDescription(
    "Bodies that cost most to refuse: their size, the answer's, and the slowest /healthz beside them"
  )
)

NodeRuntime.runMain(Effect.provide(Command.run(command, { version: "1" }), NodeServices.layer))
