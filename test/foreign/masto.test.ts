import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { beforeEach, type TestContext, test } from "node:test"
import { createOAuthAPIClient, createRestAPIClient, MastoHttpError } from "masto"
import { reported, startTestNetwork } from "./TestNetwork.ts"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))
const url = "https://mastodon.sandbox"

const network = await startTestNetwork()
let running: TestContext

// Its servers have no names elsewhere; where they are is all that this changes.
globalThis.fetch = reported(
  () => running,
  (request) => {
    const { hostname, pathname, search } = new URL(request.url)
    return hostname.endsWith(".sandbox")
      ? new Request(`${network.url}/${hostname}${pathname}${search}`, request)
      : request
  }
)
beforeEach((context) => {
  running = context as TestContext
})

/** The account `{name}`, whose token the test network knows. */
const clientOf = (name: string, server = url) =>
  createRestAPIClient({ url: server, accessToken: `${name}.sandbox` })

const upload = (name: string, options: object = {}) =>
  clientOf(name).v2.media.create({
    file: new File([picture], "bells.jpg", { type: "image/jpeg" }),
    skipPolling: true,
    ...options
  })

test("registers an app, has a person consent to it, publishes with its token and gives that up", async () => {
  const redirectUris = ["https://app.example/back", "urn:ietf:wg:oauth:2.0:oob"]
  const app = await createRestAPIClient({ url }).v1.apps.create({
    clientName: "A client of others",
    redirectUris,
    scopes: "read write follow push",
    website: "https://app.example"
  })
  assert.deepEqual([app.name, app.redirectUris], ["A client of others", redirectUris])

  const clientId = app.clientId!
  const clientSecret = app.clientSecret!
  const redirectUri = redirectUris[0]!
  const consent = new URL(`${network.url}/mastodon.sandbox/oauth/authorize`)
  consent.search = String(
    new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "read write"
    })
  )
  const allowed = await fetch(consent, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams([
      ["username", "registered"],
      ["decision", "allow"],
      ["scope", "read"],
      ["scope", "write"]
    ])
  })
  const code = new URL(allowed.headers.get("location")!).searchParams.get("code")!
  const oauth = createOAuthAPIClient({ url })
  const { accessToken } = await oauth.token.create({
    grantType: "authorization_code",
    clientId,
    clientSecret,
    redirectUri,
    code,
    scope: "read write"
  })
  const client = createRestAPIClient({ url, accessToken })
  assert.equal((await client.v1.accounts.verifyCredentials()).username, "registered")
  await client.v1.statuses.create({ status: "By consent" })
  await oauth.revoke({ clientId, clientSecret, token: accessToken })
  await assert.rejects(
    client.v1.statuses.create({ status: "After all" }),
    (error: MastoHttpError) => error.statusCode === 401
  )
  const published = await network.published("mastodon", "registered")
  assert.deepEqual(
    published.map(({ text }) => text),
    ["By consent"]
  )
})

test("an app without a name or with an address that is none is refused in the server's words", async () => {
  const register = (app: object) =>
    createRestAPIClient({ url }).v1.apps.create({
      clientName: "A client of others",
      redirectUris: "https://app.example/back",
      scopes: "read",
      ...app
    })
  for (const [wrong, words] of [
    [{ clientName: "" }, /Application name can't be blank/],
    [{ redirectUris: "https://app.example/back\nnowhere" }, /Redirect URI must be an absolute URI/],
    [{ scopes: "read everything" }, /Scopes doesn't match configured on the server/]
  ] as const)
    await assert.rejects(
      register(wrong),
      (error: MastoHttpError) => error.statusCode === 422 && words.test(error.message)
    )
})

test("publishes a file that it waits for, with everything that a status can have", async () => {
  const client = clientOf("everything")
  const media = await clientOf("everything").v2.media.create({
    file: new File([picture], "bells.jpg", { type: "image/jpeg" }),
    description: "Bells",
    focus: "0.5,-0.5",
    thumbnail: new File([picture], "small.jpg", { type: "image/jpeg" })
  })
  assert.deepEqual([media.type, media.meta?.focus], ["image", { x: 0.5, y: -0.5 }])
  const status = await client.v1.statuses.create({
    status: "Bells at noon",
    mediaIds: [media.id],
    sensitive: true,
    spoilerText: "Loud",
    visibility: "unlisted",
    language: "en",
    quoteApprovalPolicy: "followers",
    inReplyToId: null,
    poll: null
  })
  assert.deepEqual(
    [status.sensitive, status.spoilerText, status.visibility, status.language],
    [true, "Loud", "unlisted", "en"]
  )
  const [published, ...more] = await network.published("mastodon", "everything")
  assert.deepEqual([published!.id, published!.text, more], [status.id, "Bells at noon", []])
  assert.deepEqual(
    published!.media.map(({ alt_text, content_type }) => [content_type, alt_text]),
    [["image/jpeg", "Bells"]]
  )
  const { thumbnail, ...details } = published!.details!
  assert.equal((thumbnail as { size: number }).size, picture.length)
  assert.deepEqual(details, {
    sensitive: true,
    spoiler_text: "Loud",
    visibility: "unlisted",
    language: "en",
    quote_approval_policy: "followers",
    focus: ["0.5,-0.5"],
    server: "mastodon.sandbox"
  })
})

test("publishes polls, and gets them back whole", async () => {
  const { statuses } = clientOf("polls").v1
  const { createdAt, poll } = await statuses.create({
    status: "When?",
    poll: { options: ["Noon", "Night"], expiresIn: 3600, multiple: true, hideTotals: true }
  })
  assert.deepEqual(
    [poll!.multiple, poll!.expired, poll!.votesCount, poll!.options.map(({ title }) => title)],
    [true, false, 0, ["Noon", "Night"]]
  )
  assert.equal(Date.parse(poll!.expiresAt!) - Date.parse(createdAt), 3_600_000)
  const plain = await statuses.create({ status: "And?", poll: { options: ["Yes", "No"], expiresIn: 300 } })
  assert.deepEqual(
    plain.poll!.options.map(({ votesCount }) => votesCount),
    [0, 0]
  )
  const published = await network.published("mastodon", "polls")
  assert.deepEqual(
    published.map(({ details }) => details!["poll"]),
    [
      { options: ["Noon", "Night"], expires_in: 3600, multiple: true, hide_totals: true },
      { options: ["Yes", "No"], expires_in: 300 }
    ]
  )
})

test("publishes replies and quotes", async () => {
  const { statuses } = clientOf("answers").v1
  const first = await statuses.create({ status: "First" })
  const reply = await statuses.create({ status: "Second", inReplyToId: first.id })
  assert.deepEqual([reply.inReplyToId, reply.inReplyToAccountId], [first.id, first.account.id])
  const quote = await statuses.create({ status: "Third", quotedStatusId: first.id })
  assert.equal(quote.quote!.state, "accepted")
  const published = await network.published("mastodon", "answers")
  assert.deepEqual(
    published.map(({ details }) => [details!["in_reply_to_id"], details!["quoted_status_id"]]),
    [
      [undefined, undefined],
      [first.id, undefined],
      [undefined, first.id]
    ]
  )
})

for (const [server, count] of [
  ["mastodon.sandbox", 1],
  ["gotosocial.sandbox", 2]
] as const)
  test(`the same key twice makes ${count} on ${server}`, async () => {
    const { statuses } = clientOf(`key-${count}`, `https://${server}`).v1
    const create = () =>
      statuses.create({ status: "Once" }, { requestInit: { headers: { "Idempotency-Key": "one" } } })
    const ids = [(await create()).id, (await create()).id]
    assert.equal(new Set(ids).size, count)
    const published = await network.published("mastodon", `key-${count}`)
    assert.deepEqual(
      published.map(({ id, idempotency_key }) => [id, idempotency_key]),
      [...new Set(ids)].map((id) => [id, "one"])
    )
  })

test("what it is refused, it is told", async () => {
  const { statuses } = clientOf("refused").v1
  const { id } = await upload("refused")
  await statuses.create({ mediaIds: [id] })
  const poll = { options: ["Yes", "No"], expiresIn: 300 }
  for (const [wrong, words] of [
    [{ status: "" }, /Text can't be blank/],
    [{ status: "x".repeat(501) }, /Text character limit of 500 exceeded/],
    [{ status: "Both", mediaIds: [id], poll } as never, /Cannot attach both media and a poll/],
    [{ status: "Again", mediaIds: [id] }, /already attached to another post/],
    [
      { status: "Later", scheduledAt: "2030-01-01T00:00:00.000Z" } as never,
      /the test network knows no scheduled_at/
    ]
  ] as const)
    await assert.rejects(
      statuses.create(wrong),
      (error: MastoHttpError) => error.statusCode === 422 && words.test(error.message)
    )
  assert.equal((await network.published("mastodon", "refused")).length, 1)
})

test("every answer has the fields that its types call required", async () => {
  const client = clientOf("typed")
  const media = await upload("typed", { description: "Bells" })
  const text = await client.v1.statuses.create({ status: "Bells", mediaIds: [media.id] })
  const answers: ReadonlyArray<readonly [string, string, unknown]> = [
    ["v1", "Client", await client.v1.apps.create({ clientName: "Typed", redirectUris: url, scopes: "read" })],
    ["v1", "CredentialAccount", await client.v1.accounts.verifyCredentials()],
    ["v1", "Instance", await client.v1.instance.fetch()],
    ["v2", "Instance", await client.v2.instance.fetch()],
    ["v1", "MediaAttachment", media],
    ["v1", "MediaAttachment", await client.v1.media.$select(media.id).fetch()],
    ["v1", "Status", text],
    ["v1", "Status", await client.v1.statuses.create({ status: "A reply", inReplyToId: text.id })],
    ["v1", "Status", await client.v1.statuses.create({ status: "A quote", quotedStatusId: text.id })],
    [
      "v1",
      "Status",
      await client.v1.statuses.create({ status: "A poll", poll: { options: ["Yes", "No"], expiresIn: 300 } })
    ],
    ["v1", "Status", await client.v1.statuses.$select(text.id).fetch()]
  ]
  assert.ok(fieldsOf("v1", "Status").length > 20, "the library's types are read")
  assert.deepEqual(
    answers.flatMap(([version, type, answer]) => missing(version, type, answer, type)),
    []
  )
})

interface Field {
  readonly name: string
  readonly optional: boolean
  readonly type: string
}

/** The library's own declarations, by version. */
const declarations = (version: string) => {
  const directory = new URL(`node_modules/masto/dist/mastodon/entities/${version}/`, import.meta.url)
  return readdirSync(directory)
    .filter((file) => file.endsWith(".d.ts"))
    .map((file) => readFileSync(new URL(file, directory), "utf8").replaceAll(/\/\*.*?\*\//gs, ""))
    .join("\n")
}
const declared = { v1: declarations("v1"), v2: declarations("v2") }

const fieldsOf = (version: string, type: string): ReadonlyArray<Field> => {
  const source = version === "v2" ? `${declared.v2}\n${declared.v1}` : declared.v1
  const found = new RegExp(`interface ${type}(?: extends (\\w+))? \\{(.*?)\\n\\}`, "s").exec(source)
  if (found === null) return []
  return [
    ...(found[1] === undefined ? [] : fieldsOf(version, found[1])),
    ...[...found[2]!.matchAll(/^ {4}"?([@\w]+)"?(\?)?: (.+);$/gm)].map(([, name, optional, type]) => ({
      name: name!,
      optional: optional !== undefined,
      type: type!
    }))
  ]
}

/** As the library writes names, which its types do not everywhere. */
const plain = (name: string) => name.replaceAll(/[^\da-z]/gi, "").toLowerCase()

/** The paths of required fields that an answer does not have, also in what it holds. */
const missing = (version: string, type: string, value: unknown, path: string): ReadonlyArray<string> => {
  if (value === null || typeof value !== "object") return []
  if (Array.isArray(value)) return value.flatMap((one, at) => missing(version, type, one, `${path}[${at}]`))
  const own = new Map(Object.entries(value).map(([name, one]) => [plain(name), one]))
  return fieldsOf(version, type).flatMap(({ name, optional, type: types }) => {
    const one = own.get(plain(name))
    if (one === undefined) return optional ? [] : [`${path}.${name}`]
    return types
      .split(/\W+/)
      .slice(0, 1)
      .flatMap((of) => missing(version, of, one, `${path}.${name}`))
  })
}
