import { mostValues } from "@carillon/server/http/JsonBody"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { connect } from "node:net"
import { type Answer, answerProblem, failureProblem } from "./Checker.ts"
import { SeededRandom } from "./SeededRandom.ts"
import { Digest } from "./Digest.ts"
import { listsOf } from "./Bounds.ts"
import { operations, resolve } from "./Document.ts"
import { type Hostile, hostile } from "./Hostile.ts"
import { type Id, type Kind, pathKinds, unknownId } from "./Ids.ts"
import { InProcessService } from "./InProcessService.ts"
import { SignedIn } from "./SignedIn.ts"
import type { Tenant } from "./Tenant.ts"
import { World } from "./World.ts"
import { worstBodies } from "./WorstBodies.ts"

const requests = Number(process.env["HOSTILE_REQUESTS"] ?? 1000)
const seed = Number(process.env["HOSTILE_SEED"] ?? Date.now() % 1_000_000_000)
const atOnce = 40
const answerLimitMillis = 60_000

/** The operation that an address belongs to, as the router reads it. */
const addressed = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}/?$`)
}))

const operationAt = (method: string, target: string) =>
  addressed.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(target.split("?")[0]!)
  )?.operation

/** The operations with a JSON body. */
const bodied = operations.flatMap((operation) => {
  const schema = operation.requestBody?.content["application/json"]?.schema
  return schema === undefined
    ? []
    : [{ ...operation, requestBody: schema, pathParameters: pathKinds(operation) }]
})

/** What is wrong with an answer; null: nothing. */
const wrong = ({ request }: Hostile, answer: Answer): string | null => {
  if (answer.status >= 500 && answer.status !== 503) return `${answer.status} ${answer.text}`
  // An answer to HEAD has no body to look at.
  if (request.method === "HEAD") return null
  // The question of a browser whether a page may ask: here every page may.
  if (request.method === "OPTIONS" && "origin" in request.headers && answer.status === 204) return null
  const operation = operationAt(request.method, request.target)
  if (operation !== undefined) return answerProblem(operation, answer)
  return answer.status < 300 ? `${answer.status} for what is not in the document` : failureProblem(answer)
}

const changes = ({ request }: Hostile, { status }: Answer) =>
  status < 300 && !["GET", "HEAD", "OPTIONS"].includes(request.method)

const told = ({ operation, request }: Hostile) =>
  JSON.stringify({
    operation: operation.id,
    ...request,
    body: request.body === undefined ? undefined : Buffer.from(request.body).toString().slice(0, 3000)
  })

/** Ids that exist when they are asked for, most of them; the run itself deletes things. */
class Ids {
  readonly #mine = new Map<Kind, Array<Id>>()
  readonly #theirs = new Map<Kind, Id>()
  reservations: ReadonlyArray<string> = []

  async refill(mine: Tenant, theirs: Tenant) {
    for (const kind of new Set(operations.flatMap(pathKinds)).add("account")) {
      this.#theirs.set(kind, await theirs.id(kind))
      const fresh = await mine.fresh(kind)
      this.#mine.set(kind, [...(this.#mine.get(kind) ?? []).slice(-4), fresh])
    }
    const reserved = await mine.reserve()
    const { pathname, search } = new URL(reserved.upload_url)
    this.reservations = [...this.reservations.slice(-4), pathname + search]
  }

  readonly for = (kind: Kind): ReadonlyArray<Id> => {
    const known = this.#mine.get(kind)
    if (known === undefined) throw new Error(`no ids of kind ${kind}`)
    return [...known, ...known, ...known, ...known, this.#theirs.get(kind)!, unknownId(kind)]
  }
}

layer(World.layer, { excludeTestServices: true, timeout: "180 seconds" })("hostile requests", (it) => {
  it.effect(
    `hostile requests are all answered, as the document says, and change nothing when they are refused (HOSTILE_SEED=${seed}, ${requests} requests)`,
    () =>
      Effect.gen(function* () {
        const { mine, theirs } = yield* World
        const { run } = yield* InProcessService
        yield* Effect.promise(async () => {
          const random = new SeededRandom(seed)
          const ids = new Ids()
          const digest = await Digest.make(run)
          const statuses = new Map<number, number>()
          const met = new Set<string>()
          let refused = 0
          let watched = 0

          const ask = (batch: ReadonlyArray<Hostile>) =>
            Promise.all(
              batch.map(async (one) => {
                const answer = await mine.send(one.request, answerLimitMillis)
                assert.isNull(wrong(one, answer), `HOSTILE_SEED=${seed} ${told(one)}`)
                return answer
              })
            )

          /** Whether these requests, all of which were refused, were seen to leave everything as it was. */
          const changedNothing = async (batch: ReadonlyArray<Hostile>) => {
            for (let attempt = 1; ; attempt++) {
              const before = await digest.settled()
              const answers = await ask(batch)
              const after = await digest.settled()
              if (before === after) return true
              // What was refused once may be right by now.
              if (answers.some((answer, index) => changes(batch[index]!, answer))) return false
              // The engine may have been at work meanwhile, but not every time.
              if (attempt === 20)
                assert.fail(`HOSTILE_SEED=${seed} ${before}\n${after}\n${batch.map(told).join("\n")}`)
            }
          }

          let before = ""
          for (let sent = 0; sent < requests; sent += atOnce) {
            if (sent % (atOnce * 8) === 0) {
              await ids.refill(mine, theirs)
              before = ""
            }
            // Some batches are mostly right, so that there is a state for the others to meet.
            const right = sent % (atOnce * 4) === 0
            const batch = Array.from({ length: atOnce }, () =>
              hostile(random, right, ids.for, ids.reservations)
            )
            if (!right && before === "") before = await digest.settled()
            const answers = await ask(batch)
            for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
            for (const { operation } of batch) met.add(operation.id)
            if (right) {
              before = ""
              continue
            }
            const harmless = batch.filter((one, index) => !changes(one, answers[index]!))
            const same = before === (await digest.read())
            refused += harmless.length
            if ((same && harmless.length === batch.length) || (await changedNothing(harmless)))
              watched += harmless.length
            if (!same) before = ""
          }

          console.log(
            `hostile requests: HOSTILE_SEED=${seed}, ${requests} sent,`,
            [...statuses]
              .sort(([a], [b]) => a - b)
              .map(([status, count]) => `${status}: ${count}`)
              .join(", ")
          )
          assert.sameMembers(
            [...met],
            operations.map(({ id }) => id)
          )
          // The run would show nothing if everything were refused at the door, or nothing watched.
          for (const status of [200, 201, 400, 401, 404, 405, 409, 415])
            assert.isTrue(statuses.has(status), `${status}`)
          assert.isAbove(watched, refused * 0.8)
        })
      }),
    600_000 + requests * 30
  )

  it.effect(
    "a refusal tells fifty problems and how many more there are, and of a list that is too long only that",
    () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        const refused = (body: object) =>
          Effect.promise(async () => {
            const { text } = await mine.send({
              method: "POST",
              target: "/v1/posts",
              headers: { "content-type": "application/json" },
              body: JSON.stringify(body)
            })
            return JSON.parse(text)
          })
        const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field${index}`, 0]))
        const account = yield* Effect.promise(() => mine.id("account"))
        const unknown = yield* refused({
          social_accounts: [account],
          caption: "x",
          is_draft: true,
          ...fields
        })
        assert.lengthOf(unknown.errors, 51)
        assert.strictEqual(unknown.error.at(-1), "and 250 more.")
        assert.isTrue(unknown.detail.endsWith(" and 250 more."))
        const long = yield* refused({ social_accounts: Array.from({ length: 5000 }, () => "a"), media: [0] })
        assert.deepStrictEqual(long.error, [
          "social_accounts has 5000 items; the limit is 200.",
          "media[0]: Expected string, got 0."
        ])
      })
  )

  /** More than any list and any body may have, and none is what a list takes. */
  const wrongItems = Array.from({ length: mostValues + 1 }, () => [])

  it.effect(
    "hostile requests are told of the length of every list that is too long, and nothing of its items",
    () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        const service = yield* InProcessService
        const owner = yield* Effect.promise(() => SignedIn.make(service))
        let seen = 0
        for (const { method, path, pathParameters, requestBody, id, membersOnly } of bodied) {
          let target = path
          for (const kind of pathParameters) {
            const found = yield* Effect.promise(() => mine.id(kind))
            target = target.replace(`{${kind}_id}`, String(found))
          }
          for (const { at, most, holding } of listsOf(requestBody, resolve)) {
            const request = {
              method,
              target,
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ ...(holding(wrongItems) as object), unheard_of: 0 })
            }
            const { text } = yield* Effect.promise(() =>
              membersOnly === null ? mine.send(request) : owner.ask(request)
            )
            const { errors } = JSON.parse(text)
            assert.deepStrictEqual(
              errors.filter(({ path }: { path: string }) => path.startsWith(at)),
              [
                {
                  path: at,
                  code: "invalid_value",
                  message: `${at} has ${wrongItems.length} items; the limit is ${most}.`
                }
              ],
              id
            )
            assert.include(
              errors.map(({ path }: { path: string }) => path),
              "unheard_of",
              `${id} ${at}`
            )
            seen++
          }
        }
        assert.isAbove(seen, 40)
      })
  )

  it.effect(
    "hostile requests are told of the length of every list that is too long in a call of a tool",
    () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        const answerTo = (body: unknown) =>
          Effect.promise(async () => {
            const { text } = await mine.send({
              method: "POST",
              target: "/mcp",
              headers: { "content-type": "application/json" },
              body: JSON.stringify(body)
            })
            return JSON.parse(text)
          })
        const rpc = (method: string, params: object) =>
          Effect.map(answerTo({ jsonrpc: "2.0", id: 1, method, params }), ({ result }) => result)
        let seen = 0
        for (const { name, inputSchema } of (yield* rpc("tools/list", {})).tools) {
          // The schema has the lists and not how long they may be: some hosts take no word for that.
          for (const { at, holding } of listsOf(inputSchema, (schema) => schema)) {
            const args = { ...(holding(wrongItems) as object), unheard_of: 0 }
            const [{ text }] = (yield* rpc("tools/call", { name, arguments: args })).content
            assert.include(text, `[invalid_value] ${at} has ${wrongItems.length} items; the limit is `, name)
            assert.include(text, "[unknown_field] unheard_of is not a known field", name)
            assert.notInclude(text, `${at}[`, name)
            seen++
          }
        }
        assert.isAbove(seen, 5)
        const { error } = yield* answerTo(wrongItems)
        assert.deepStrictEqual(error, [`The body has ${wrongItems.length} items; the limit is 10.`])
      })
  )

  it.effect(
    "hostile requests of strangers are answered before a byte of their body is read, and the connection is closed",
    () =>
      Effect.gen(function* () {
        const { url } = yield* InProcessService
        for (const [target, status] of [
          ["/v1/posts", 401],
          ["/mcp", 401],
          ["/upload/x", 403],
          ["/v1/media/0191f0a0-0000-7000-8000-000000000001/complete", 401]
        ] as const) {
          const answer = yield* Effect.promise(async () => {
            const { hostname, port, host } = new URL(url)
            const socket = connect(Number(port), hostname)
            let text = ""
            socket.on("data", (bytes) => (text += bytes.toString()))
            socket.write(
              `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`
            )
            await once(socket, "close")
            return text
          })
          assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), target)
        }
      })
  )

  // The first account of a service has the id 1.
  for (const [name, request] of Object.entries(worstBodies([1]))) {
    it.effect(`the worst bodies have an answer of 64 KiB at most: ${name}`, () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        const answer = yield* Effect.promise(() => mine.send(request, answerLimitMillis))
        assert.isAtMost(Buffer.byteLength(answer.text), 64 * 1024, answer.text.slice(0, 1000))
        assert.isBelow(answer.status, 500, answer.text)
      })
    )
  }
})
