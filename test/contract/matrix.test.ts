import { hasScope, Scope } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, answerProblem } from "./Checker.ts"
import { type Operation, operations } from "./Document.ts"
import { type Id, idPlaces, type Kind, kindOf, pathKinds, unknownId, withIdAt } from "./Ids.ts"
import { good, json, missing, target } from "./Requests.ts"
import { ServiceHere } from "./ServiceHere.ts"
import type { Tenant } from "./Tenant.ts"
import type { WireRequest } from "./Wire.ts"
import { World } from "./World.ts"

interface Probe {
  readonly where: string
  readonly kind: Kind
  readonly request: (id: Id) => WireRequest
}

/** Every place of an operation where an id is written, each with a request that is right but for that id. */
const probes = async (operation: Operation, mine: Tenant): Promise<ReadonlyArray<Probe>> => {
  const base = await good(operation, mine)
  const own = new Map<Kind, Id>()
  const ownId = (kind: Kind) => own.get(kind)!
  const body = await mine.example(operation)
  const schema = operation.requestBody?.content["application/json"]?.schema
  const places = schema === undefined ? [] : idPlaces(schema)
  for (const kind of [...pathKinds(operation), ...places.map((place) => place.kind), "account", "media"]) {
    own.set(kind, await mine.id(kind))
  }
  const inQuery = operation.parameters.filter((one) => one.in === "query" && kindOf(one.name) !== null)
  return [
    ...pathKinds(operation).map((kind) => ({
      where: `path {${kind}}`,
      kind,
      request: (id: Id) => ({
        ...base,
        target: target(operation, (one) => (one === kind ? id : ownId(one)))
      })
    })),
    ...inQuery.map(({ name }) => ({
      where: `query ${name}`,
      kind: kindOf(name)!,
      request: (id: Id) => ({ ...base, target: `${base.target}?${name}=${id}` })
    })),
    ...places.map(({ kind, path }) => ({
      where: `body ${path.join(".")}`,
      kind,
      request: (id: Id) => json(operation.method, base.target, withIdAt(body, schema, path, id, ownId))
    }))
  ]
}

/** An answer without what may differ between two that say the same: the id that was asked for, and the request's own. */
const gist = ({ status, text }: Answer, id: Id) => ({
  status,
  text: text.replaceAll(String(id), "<id>").replace(/"request_id":"[^"]*"/, "")
})

layer(World.layer, { excludeTestServices: true, timeout: "180 seconds" })("who may do what", (it) => {
  for (const operation of operations) {
    if (operation.scope === null) continue
    const { id, scope } = operation

    it.effect(
      `${id} answers another workspace's id, wherever it is written, like one that does not exist`,
      () =>
        Effect.gen(function* () {
          const { mine, theirs } = yield* World
          yield* Effect.promise(async () => {
            for (const { where, kind, request } of await probes(operation, mine)) {
              const [foreign, unknown] = [await theirs.id(kind), unknownId(kind)]
              const theirAnswer = await mine.send(request(foreign))
              assert.deepStrictEqual(
                gist(theirAnswer, foreign),
                gist(await mine.send(request(unknown)), unknown),
                `${id} ${where}`
              )
              assert.isNull(answerProblem(operation, theirAnswer), `${id} ${where}`)
              // A filter by what does not exist finds nothing; everything else is refused.
              if (where.startsWith("query")) assert.deepStrictEqual(JSON.parse(theirAnswer.text).data, [])
              else assert.oneOf(theirAnswer.status, [400, 404, 409], `${id} ${where}: ${theirAnswer.text}`)
              if (where.startsWith("path")) assert.strictEqual(theirAnswer.status, 404)
            }
          })
        })
    )

    it.effect(`${id} needs the scope ${scope}, or one that implies it`, () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        const { makeKey, workspace } = yield* ServiceHere
        yield* Effect.promise(async () => {
          for (const granted of Scope.literals) {
            const key = await makeKey(workspace, [granted])
            const request = await missing(operation, mine)
            const answer = await mine.send({
              ...request,
              headers: { ...request.headers, authorization: `Bearer ${key}` }
            })
            assert.isNull(answerProblem(operation, answer), `${id} with ${granted}`)
            if (hasScope([granted], scope))
              assert.notInclude([401, 403], answer.status, `${id} with ${granted}: ${answer.text}`)
            else {
              assert.strictEqual(answer.status, 403, `${id} with ${granted}`)
              assert.strictEqual(JSON.parse(answer.text).code, "missing_scope")
            }
          }
        })
      })
    )

    it.effect(`${id} answers nobody without a key`, () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        yield* Effect.promise(async () => {
          for (const authorization of ["", "Bearer", "Bearer nonsense", `Basic ${btoa("a:b")}`, mine.key]) {
            const request = await missing(operation, mine)
            const answer = await mine.send({ ...request, headers: { ...request.headers, authorization } })
            assert.strictEqual(answer.status, 401, authorization)
            assert.strictEqual(JSON.parse(answer.text).code, "unauthorized")
            assert.isNull(answerProblem(operation, answer))
          }
        })
      })
    )
  }

  it.effect("finds the places of ids that there are", () =>
    Effect.gen(function* () {
      const { mine } = yield* World
      yield* Effect.promise(async () => {
        const found = new Set<string>()
        for (const operation of operations) {
          if (operation.scope === null) continue
          for (const { where } of await probes(operation, mine)) found.add(`${operation.id} ${where}`)
        }
        assert.includeMembers(
          [...found],
          [
            "postsGet path {post}",
            "postsList query social_account_id",
            "resultsList query post_id",
            "postsCreate body social_accounts.0",
            "postsCreate body media.0",
            "postsCreate body account_configurations.0.account_id",
            "postsCreate body account_configurations.0.media.0",
            "postsCreate body platform_configurations.bluesky.media.0",
            "postsRetry body social_accounts.0",
            "apiKeysCreate body social_accounts.0"
          ]
        )
      })
    })
  )
})
