import type { SeededRandom } from "./SeededRandom.ts"
import { type Operation, operations, resolve } from "./Document.ts"
import { type Id, type Kind, kindOf, pathKinds, withIds } from "./Ids.ts"
import { target } from "./Requests.ts"
import type { WireRequest } from "./Wire.ts"

export interface Hostile {
  readonly operation: Operation
  readonly request: WireRequest
}

/** Ids that exist here, that exist elsewhere, and that do not exist, by kind. */
export type IdsFor = (kind: Kind) => ReadonlyArray<Id>

/** A request that starts from what the document says is right; unless it shall be `right`, something is done to it that is not. */
export const hostile = (
  random: SeededRandom,
  right: boolean,
  idsFor: IdsFor,
  reservations: ReadonlyArray<string>
): Hostile => {
  const operation = random.pick(operations)
  const [path, query] = address(operation, random, idsFor, reservations)
  const body = bodyOf(operation, random, right, idsFor)
  return {
    operation,
    request: {
      method: random.chance(0.04) ? random.pick(oddMethods) : operation.method,
      target: query === "" ? path : `${path}?${query}`,
      headers: headersOf(operation, random, body),
      ...(body === undefined ? {} : { body })
    }
  }
}

const oddMethods = [
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PUT",
  "POST",
  "DELETE",
  "PATCH",
  "GET",
  "PROPFIND",
  "QUERY",
  "PURGE"
]

const nul = String.fromCharCode(0)
const half = String.fromCharCode(0xd800)

const oddText = [
  "",
  " ",
  nul,
  `a${nul}b`,
  half,
  `${half}x`,
  "\u202eabc",
  "\ufeff",
  "null",
  "undefined",
  "true",
  "[object Object]",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "' or 1=1 --",
  "\\",
  '"',
  "${7*7}",
  "%s%n",
  "<script>alert(1)</script>",
  "👨‍👩‍👧‍👦".repeat(50),
  "e\u0301".repeat(200),
  "x".repeat(21_000),
  "-1",
  "1e309",
  "2026-02-30T00:00:00Z",
  "2030-01-01T00:00:00Z",
  "2030-01-01T00:00[Europe/Paris]",
  "+275760-09-13T00:00:00.001Z",
  "0000-00-00",
  "http://127.0.0.1:1/",
  "http://[::1",
  "file:///etc/passwd",
  "javascript:alert(1)"
]

const oddNumbers = [
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  4_294_967_296,
  Number.MIN_VALUE
]

const nested = (depth: number): unknown => {
  let value: unknown = null
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

const junk = (random: SeededRandom): unknown =>
  random.pick<() => unknown>([
    () => random.pick(oddText),
    () => random.pick(oddText),
    () => random.pick(oddNumbers),
    () => null,
    () => random.chance(0.5),
    () => [],
    () => ({}),
    () => [random.pick(oddText), random.pick(oddNumbers), null],
    () => Array.from({ length: random.pick([2, 201, 1500]) }, () => random.pick(oddNumbers)),
    () => nested(random.pick([3, 50, 400])),
    () => Object.fromEntries(Array.from({ length: random.pick([1, 300]) }, (_, i) => [`key${i}`, i])),
    () => JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}')
  ])()

/** A value of the schema, most of the time; ids are real ones, most of the time. */
const valid = (schema: any, random: SeededRandom, idsFor: IdsFor, name = ""): unknown => {
  const resolved = resolve(schema)
  const kind = kindOf(name)
  if (
    kind !== null &&
    resolved.type !== "array" &&
    resolved.anyOf === undefined &&
    resolved.type !== "object"
  ) {
    return random.pick(idsFor(kind))
  }
  const alternatives = resolved.anyOf ?? resolved.oneOf
  if (alternatives !== undefined) return valid(random.pick(alternatives), random, idsFor, name)
  if (resolved.allOf !== undefined) return valid(resolved.allOf[0], random, idsFor, name)
  if (resolved.const !== undefined) return resolved.const
  if (resolved.enum !== undefined) return random.pick(resolved.enum)
  switch (resolved.type) {
    case "object": {
      const required: ReadonlyArray<string> = resolved.required ?? []
      return Object.fromEntries(
        Object.entries(resolved.properties ?? {})
          .filter(([key]) => required.includes(key) || random.chance(0.35))
          .map(([key, inner]) => [key, valid(inner, random, idsFor, key)])
      )
    }
    case "array": {
      const least = resolved.minItems ?? 0
      const length = Math.max(least, random.below(3))
      return Array.from({ length }, () => valid(resolved.items ?? {}, random, idsFor, name))
    }
    case "integer":
    case "number": {
      const low = Math.max(resolved.minimum ?? 0, 0)
      return low + random.below(Math.min((resolved.maximum ?? 1000) - low, 1000) + 1)
    }
    case "boolean":
      return random.chance(0.5)
    case "null":
      return null
    case "string":
      if (resolved.format === "date-time") return "2090-06-01T09:00:00Z"
      return random.pick([
        "Evening bells",
        "UTC",
        "2090-06-01T09:00:00Z",
        "en",
        "demo",
        "sandbox",
        "http://127.0.0.1:1/"
      ])
    default:
      return random.pick(["x", 1, null, {}])
  }
}

/** One node somewhere in the value is replaced, removed, added or wrapped. */
const mutated = (value: unknown, random: SeededRandom): unknown => {
  if (value === null || typeof value !== "object" || random.chance(0.25)) {
    return random.chance(0.1) ? [value] : junk(random)
  }
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, junk(random)]
    const at = random.below(value.length)
    return value.map((one, index) => (index === at ? mutated(one, random) : one))
  }
  const entries = Object.entries(value)
  const choice = random.below(4)
  if (entries.length === 0 || choice === 0) {
    const name = random.pick([
      "captoin",
      "__proto__",
      "constructor",
      "toString",
      "",
      "a.b",
      "id",
      "status",
      "workspace_id",
      nul
    ])
    return Object.fromEntries([...entries, [name, junk(random)]])
  }
  const at = random.below(entries.length)
  if (choice === 1) return Object.fromEntries(entries.filter((_, index) => index !== at))
  return Object.fromEntries(
    entries.map(([key, one], index) => [key, index === at ? mutated(one, random) : one])
  )
}

/** What `JSON.stringify` would never write. */
const misspelt = (text: string, random: SeededRandom): string | Uint8Array => {
  const at = random.below(text.length + 1)
  return random.pick<() => string | Uint8Array>([
    () => text.slice(0, at),
    () => text + text,
    () => `\ufeff${text}`,
    () =>
      `${text.slice(0, at)}${random.pick([",", "}", "]", '"', "\\", "NaN", "'", "//", nul])}${text.slice(at)}`,
    () => text.replace("{", '{"caption":1,"caption":"b","__proto__":{"a":1},'),
    () =>
      text.replace(
        /\d+/,
        random.pick(["1e400", "-1e400", "1".repeat(400), "0x10", "01", "1.", "9007199254740993"])
      ),
    () => text.replace(/"[^"]*"$/, '"\\ud800"'),
    () => "",
    () => "null",
    () => "[]",
    () => '"text"',
    () => "[".repeat(random.pick([100, 5000, 200_000])),
    () =>
      Buffer.concat([
        Buffer.from(text.slice(0, at)),
        Buffer.from([0xff, 0xfe, 0xc3, 0x28]),
        Buffer.from(text.slice(at))
      ]),
    () => JSON.stringify({ caption: "x".repeat(1_100_000) }),
    () => `${" ".repeat(500_000)}${text}`
  ])()
}

const bodyOf = (
  operation: Operation,
  random: SeededRandom,
  right: boolean,
  idsFor: IdsFor
): string | Uint8Array | undefined => {
  const json = operation.requestBody?.content["application/json"]
  if (json === undefined) {
    if (operation.requestBody !== undefined) return Buffer.from(random.pick(["", "bytes", "x".repeat(5000)]))
    return random.chance(0.1) ? random.pick(["", "{}", "{", JSON.stringify(junk(random))]) : undefined
  }
  if (random.chance(0.03)) return undefined
  const examples = Object.values<any>(json.examples ?? {}).map((example) => example.value)
  let value =
    examples.length > 0 && random.chance(right ? 0.8 : 0.5)
      ? withIds(random.pick(examples), (kind) => random.pick(idsFor(kind)))
      : valid(json.schema, random, idsFor)
  if (right) return JSON.stringify(value)
  for (let i = random.pick([1, 1, 1, 1, 1, 2, 2, 3, 4]); i > 0; i--) value = mutated(value, random)
  const text = JSON.stringify(value) ?? "null"
  return random.chance(0.12) ? misspelt(text, random) : text
}

const oddIds = [
  "0",
  "-1",
  "1e9",
  "9007199254740993",
  "99999999999999999999999999",
  "null",
  ".",
  "%2e%2e",
  "%00",
  "%",
  "%zz",
  "%ff",
  "%F0%9F%98%80",
  "a".repeat(3000),
  "'%20or%201=1",
  "{id}",
  ":post_id",
  "*",
  "validate",
  "a%2Fb",
  "a/b",
  "%E2%80%AE"
]

const address = (
  operation: Operation,
  random: SeededRandom,
  idsFor: IdsFor,
  reservations: ReadonlyArray<string>
): readonly [path: string, query: string] => {
  if (operation.id === "mediaUpload" && random.chance(0.7)) {
    const url = random.pick(reservations)
    const [path, query] = url.split("?") as [string, string]
    return [path, random.chance(0.3) ? mutatedQuery(query, random) : query]
  }
  const ids = new Map(pathKinds(operation).map((kind) => [kind, random.pick(idsFor(kind))]))
  const path = random.chance(0.2)
    ? operation.path.replace(/\{\w+\}/g, () => random.pick(oddIds))
    : target(operation, (kind) => ids.get(kind)!)
  const parameters = operation.parameters.filter(({ in: place }) => place === "query")
  const query = parameters
    .filter(() => random.chance(0.3))
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(valid(schema, random, idsFor, name)))}`)
    .join("&")
  return [path, random.chance(0.35) ? mutatedQuery(query, random) : query]
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

const mutatedQuery = (query: string, random: SeededRandom): string => {
  const names = [
    "limit",
    "offset",
    "status",
    "platform",
    "from",
    "to",
    "q",
    "post_id",
    "username",
    "type",
    "signature"
  ]
  const name = random.pick(names)
  return random.pick<() => string>([
    () => `${query}&${name}=${encoded(random.pick(oddText).slice(0, 3000))}`,
    () => `${query}&${name}=${String(random.pick(oddNumbers))}`,
    () => `${name}[]=a&${name}[]=b&${query}`,
    () => `${name}[0]=a&${name}[x][y]=b`,
    () => `${query}&${query}&${query}`,
    () =>
      `${query}&${random.pick(["__proto__", "constructor", "toString", "", "%00", "a[]", "[]", "state"])}=1`,
    () => random.pick(["&&&", "=", "?", "%", "%zz=%zz", "%ff", "a=b=c", "#x", "+", "%ED%A0%80=%ED%A0%80"]),
    () => `${name}=${Array.from({ length: 300 }, () => random.pick(["a", "draft", ""])).join(",")}`
  ])()
}

const headersOf = (operation: Operation, random: SeededRandom, body: string | Uint8Array | undefined) => {
  const headers: Record<string, string> = {}
  if (body !== undefined) {
    headers["content-type"] = random.chance(0.92)
      ? operation.id === "mediaUpload"
        ? "image/png"
        : "application/json"
      : random.pick([
          "",
          "text/plain",
          "application/xml",
          "application/x-www-form-urlencoded",
          "multipart/form-data",
          "multipart/form-data; boundary=x",
          "application/json; charset=utf-16",
          "application/octet-stream",
          "application/merge-patch+json",
          "JSON",
          "*/*"
        ])
  }
  if (random.chance(0.04))
    headers["authorization"] = random.pick([
      "",
      "Bearer",
      "Bearer x",
      "Basic eDp5",
      `Bearer ${"a".repeat(4000)}`,
      "bearer  crl_a_b"
    ])
  if (random.chance(0.15))
    headers["idempotency-key"] = random.pick(["", " ", "a", "b", "x".repeat(255), "x".repeat(256), "\u00e9"])
  if (random.chance(0.1))
    headers["if-match"] = random.pick(["", "*", '"1"', 'W/"1"', "1", '"', "x".repeat(2000)])
  if (random.chance(0.1)) {
    const [name, value] = random.pick([
      ["x-request-id", "not sane!"],
      ["x-request-id", "x".repeat(3000)],
      ["accept", "application/xml"],
      ["accept-encoding", "br;q=0, *;q=0"],
      ["content-encoding", "gzip"],
      ["range", "bytes=0-1"],
      ["if-none-match", "*"],
      ["x-http-method-override", "DELETE"],
      ["x-forwarded-for", "' or 1=1"],
      ["x-forwarded-host", "evil.example"],
      ["host", "evil.example"],
      ["origin", "null"],
      ["cookie", "a=b; __proto__=c"],
      ["expect", "100-continue"],
      ["connection", "close"]
    ] as const)
    headers[name] = value
  }
  return headers
}
