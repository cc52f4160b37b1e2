import { assert, describe, it, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect } from "effect"
import { Service } from "@carillon/testing/ServiceProcess"
import { bodyProblem } from "./Checker.ts"
import { unbounded } from "./Bounds.ts"
import { document, operations, resolve } from "./Document.ts"
import { SharedService } from "@carillon/testing/SharedService"

/** A schema with all that it refers to in its place. */
const wholeOf = (schema: any): any => {
  if (Array.isArray(schema)) return schema.map(wholeOf)
  if (schema === null || typeof schema !== "object") return schema
  return Object.fromEntries(Object.entries(resolve(schema)).map(([key, value]) => [key, wholeOf(value)]))
}

describe("the OpenAPI document", () => {
  it("the OpenAPI document is valid by a validator that is not ours", async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    assert.isTrue(valid, JSON.stringify(errors))
    assert.strictEqual(validator.version, "3.1")
  })

  it("the OpenAPI document is at most 391,000 bytes", () => {
    assert.isAtMost(Buffer.byteLength(JSON.stringify(document)), 391_000)
  })

  it("describes every event, with the body that arrives and the headers that sign it", () => {
    const { webhooks, components } = document
    assert.sameMembers(
      Object.keys(webhooks).filter((type) => type !== "webhook.test"),
      components.schemas.EventType.enum
    )
    for (const [type, { post }] of Object.entries<any>(webhooks)) {
      const {
        type: named,
        timestamp,
        data
      } = resolve(post.requestBody.content["application/json"].schema).properties
      assert.include(named.enum, type)
      assert.strictEqual(resolve(timestamp).format, "date-time")
      assert.isObject(resolve(data).properties, type)
      assert.deepStrictEqual(
        post.parameters.map((parameter: any) => resolve(parameter).name),
        ["webhook-id", "webhook-timestamp", "webhook-signature"]
      )
    }
  })

  it("names no value twice where values are named", () => {
    const twice = (schema: any): ReadonlyArray<any> => {
      if (schema === null || typeof schema !== "object") return []
      const ways: ReadonlyArray<any> = Array.isArray(schema.anyOf) ? schema.anyOf : [schema]
      const values = ways.flatMap((way) => (Array.isArray(way.enum) ? way.enum : []))
      return [
        ...(new Set(values).size === values.length ? [] : [values]),
        ...Object.values(schema).flatMap(twice)
      ]
    }
    assert.deepStrictEqual(twice(document), [])
  })

  it("names every operation so that a generated client has a good name for it", () => {
    const ids = operations.map(({ id }) => id)
    assert.deepStrictEqual(ids, [...new Set(ids)])
    for (const { id, summary, tags } of operations) {
      assert.match(id, /^[a-z][A-Za-z]+$/)
      assert.isNotEmpty(summary, id)
      assert.include(
        document.tags.map(({ name }: { name: string }) => name),
        tags[0]
      )
    }
  })

  it("the OpenAPI document has no name that only effect/http-api understands", () => {
    for (const name of Object.keys(document.components.schemas)) assert.match(name, /^[A-Z][A-Za-z]+$/)
    assert.notMatch(JSON.stringify(document), /Encoded|"expected"|decoded as/)
  })

  it("gives every failure of every operation the one problem body, and its codes", () => {
    for (const { id, responses, requestBody, scope } of operations) {
      const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
      const statuses = failures.map(([status]) => status)
      assert.includeMembers(statuses, ["400", "500", "503"], id)
      if (scope !== null) assert.includeMembers(statuses, ["401", "403"], id)
      if (requestBody !== undefined) assert.includeMembers(statuses, ["415"], id)
      if (requestBody?.content["application/json"]) assert.includeMembers(statuses, ["413"], id)
      for (const [status, { content }] of failures) {
        assert.deepStrictEqual(Object.keys(content), ["application/problem+json"], id)
        const [problem, { properties }] = content["application/problem+json"].schema.allOf
        assert.strictEqual(problem.$ref, "#/components/schemas/Problem")
        assert.strictEqual(properties.status.const, Number(status))
        assert.isNotEmpty(properties.code.enum, `${id} ${status}`)
        assert.includeMembers(document.components.schemas.Problem.properties.code.enum, properties.code.enum)
      }
    }
  })

  it("asks for a credential everywhere but at the signed upload", () => {
    assert.deepStrictEqual(
      operations.filter(({ scope }) => scope === null).map(({ id }) => id),
      ["mediaUpload"]
    )
    assert.deepStrictEqual(document.components.securitySchemes.bearer.type, "http")
  })

  it("says of every list and every object with free names how many at most, and of what is sent how long", () => {
    assert.deepStrictEqual(unbounded(document), [])
    const sent = operations.flatMap(({ id, requestBody, parameters }) => [
      ...unbounded(wholeOf(requestBody?.content["application/json"]?.schema), true).map((at) => `${id}${at}`),
      ...parameters.flatMap(({ name, in: place, schema }) =>
        place === "query" ? unbounded(wholeOf(schema), true).map((at) => `${id} ${name}${at}`) : []
      )
    ])
    assert.deepStrictEqual(sent, [])
  })

  it("types every parameter as what it means", () => {
    const types = operations.flatMap(({ id, parameters }) =>
      parameters.map(({ name, in: place, schema, description }) => ({
        id,
        name,
        place,
        description,
        schema: resolve(schema)
      }))
    )
    for (const { id, name, place, schema, description } of types) {
      assert.isString(schema.type, `${id} ${name}`)
      if (place !== "query") assert.isNotEmpty(description, `${id} ${name}`)
      if (name === "limit") assert.include(schema, { type: "integer", minimum: 1, default: 50 })
      if (name === "offset") assert.include(schema, { type: "integer", minimum: 0, default: 0 })
      const format = id === "postsCalendar" ? "date" : "date-time"
      const isDay = /^(created_)?(from|to)$/.test(name)
      if (isDay && id !== "postsList") assert.include(schema, { type: "string", format })
      // Either a date or a time.
      if (isDay && id === "postsList")
        for (const one of ["2026-12-24", "2026-12-24T09:00:00Z"])
          assert.match(one, new RegExp(schema.allOf?.[0]?.pattern ?? schema.pattern))
      if (["status", "platform"].includes(name) && place === "query") {
        assert.strictEqual(schema.type, "array", `${id} ${name}`)
        assert.isNotEmpty(resolve(schema.items).enum, `${id} ${name}`)
      }
    }
    for (const { parameters } of operations) {
      for (const parameter of parameters as ReadonlyArray<any>) {
        if (parameter.schema.type === "array") assert.isTrue(parameter.explode)
      }
    }
  })

  it("takes every type of file at the signed upload, as bytes", () => {
    const { requestBody, responses } = operations.find(({ id }) => id === "mediaUpload")!
    assert.includeMembers(Object.keys(requestBody.content), ["image/png", "video/mp4", "application/pdf"])
    for (const { schema } of Object.values<any>(requestBody.content))
      assert.strictEqual(schema.format, "binary")
    assert.property(responses, "200")
  })

  it("shows an example of every JSON body, as its schema has it", () => {
    for (const operation of operations) {
      const json = operation.requestBody?.content["application/json"]
      if (json === undefined) continue
      assert.isNotEmpty(json.examples, operation.id)
      for (const { value } of Object.values<any>(json.examples)) {
        assert.isNull(bodyProblem(operation, value), operation.id)
      }
    }
  })

  it("names every field and parameter in snake_case", () => {
    const names = Object.values<any>(document.components.schemas).flatMap(({ properties = {} }) =>
      Object.keys(properties)
    )
    const parameters = operations.flatMap((operation) =>
      operation.parameters.filter((one) => one.in !== "header").map(({ name }) => name)
    )
    assert.isAbove(names.length, 200)
    for (const name of [...names, ...parameters]) assert.match(name, /^[a-z][a-z0-9_]*$/)
  })

  it("says of every list what `data` and `meta` are", () => {
    for (const { id, responses } of operations.filter((operation) => operation.id.endsWith("List"))) {
      const { properties } = resolve(responses["200"].content["application/json"].schema)
      assert.isDefined(properties.data.items, id)
      assert.sameMembers(resolve(properties.meta).required, ["total", "offset", "limit", "next"], id)
    }
  })

  it("names a request id in every answer, and lets an answer gain fields", () => {
    for (const { id, responses } of operations) {
      for (const response of Object.values(responses)) assert.property(response.headers, "x-request-id", id)
    }
    assert.notProperty(document.components.schemas.Post, "additionalProperties")
    assert.isFalse(document.components.schemas.CreatePost.additionalProperties)
  })
})

layer(SharedService, { excludeTestServices: true })("the service", (it) => {
  it.effect("serves exactly this document, with its own address", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { body } = yield* service.call("GET", "/v1/openapi.json")
      const { contact, ...info } = body.info
      assert.deepStrictEqual({ ...body, info }, { ...document, servers: [{ url: service.url }] })
      assert.strictEqual(contact.url, service.url)
      assert.strictEqual(info.license.identifier, "Apache-2.0")
    })
  )
})
