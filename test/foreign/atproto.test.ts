import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { beforeEach, type TestContext, test } from "node:test"
import { AtpAgent, type AtpSessionData, CredentialSession, RichText, XRPCError } from "@atproto/api"
import { reported, startTestNetwork } from "./TestNetwork.ts"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

const network = await startTestNetwork()
let running: TestContext

beforeEach((context) => {
  running = context as TestContext
})

const fetch = reported(() => running)
const password = "bell-bell-bell-bell"

const signedIn = async (name: string) => {
  const agent = new AtpAgent({ service: network.url, fetch })
  await agent.login({ identifier: `${name}.bsky.sandbox`, password })
  return agent
}

const keyOf = (uri: string) => uri.split("/").at(-1)!

const refusal = (status: number, error: string) => (failure: XRPCError) =>
  failure instanceof XRPCError && failure.status === status && failure.error === error

test("finds the server by the document of the DID, renews its session there and ends it", async () => {
  const agent = await signedIn("finds")
  assert.equal(agent.pdsUrl?.origin, network.url)
  assert.equal(agent.assertDid, "did:web:finds.bsky.sandbox")
  assert.equal((await agent.com.atproto.server.describeServer()).data.did, "did:web:bsky.sandbox")
  assert.equal(
    (await agent.resolveHandle({ handle: "finds.bsky.sandbox" })).data.did,
    "did:web:finds.bsky.sandbox"
  )

  const resumed = new AtpAgent({ service: network.url.replace("127.0.0.1", "localhost"), fetch })
  await resumed.resumeSession(agent.session as AtpSessionData)
  // As it was reached, not as it names itself.
  assert.equal(resumed.pdsUrl?.origin, network.url.replace("127.0.0.1", "localhost"))
  const { uri } = await resumed.post({ text: "From another name" })
  const [published] = await network.published("bluesky", "finds")
  assert.equal(published!.details!["uri"], uri)
  const { refreshJwt } = resumed.session!
  await resumed.logout()
  await assert.rejects(
    new AtpAgent({ service: network.url, fetch }).resumeSession({
      ...(agent.session as AtpSessionData),
      refreshJwt
    }),
    refusal(400, "ExpiredToken")
  )
})

test("publishes a post, and reads it back by its key", async () => {
  const agent = await signedIn("posts")
  const { cid, uri } = await agent.post({ text: "Bells at noon", langs: ["en"] })
  const [published, ...more] = await network.published("bluesky", "posts")
  assert.deepEqual([published!.text, more], ["Bells at noon", []])
  const { createdAt, ...details } = published!.details!
  assert.deepEqual(details, { uri, cid, langs: ["en"] })
  assert.ok(Math.abs(Date.parse(createdAt as string) - Date.now()) < 3_600_000)
  const read = await agent.com.atproto.repo.getRecord({
    repo: agent.assertDid,
    collection: "app.bsky.feed.post",
    rkey: keyOf(uri)
  })
  assert.deepEqual([read.data.uri, read.data.cid], [uri, cid])
  assert.deepEqual(read.data.value, {
    $type: "app.bsky.feed.post",
    text: "Bells at noon",
    createdAt,
    langs: ["en"]
  })
  const own = await agent.getPost({ repo: agent.assertDid, rkey: keyOf(uri) })
  assert.equal(own.value.text, "Bells at noon")
  await assert.rejects(
    agent.getPost({ repo: agent.assertDid, rkey: "3n2t2guw6ets2" }),
    (failure: XRPCError) => failure.error === "RecordNotFound"
  )
})

test("publishes links and tags as the library finds them in a text, and a mention as it writes it", async () => {
  const agent = await signedIn("finds-facets")
  const text = new RichText({ text: "@a.test rings https://bells.example #bells $BELL" })
  text.detectFacetsWithoutResolution()
  const [mention, link] = text.facets!
  assert.deepEqual(
    [mention!.$type, mention!.features[0]!.$type, link!.features[0]!.$type, text.facets!.length],
    ["app.bsky.richtext.facet", "app.bsky.richtext.facet#mention", "app.bsky.richtext.facet#link", 4]
  )
  Object.assign(mention!.features[0]!, { did: (await signedIn("posts")).assertDid })
  await agent.post({ text: text.text, facets: text.facets! })
  const [published] = await network.published("bluesky", "finds-facets")
  assert.deepEqual(published!.details!["facets"], text.facets)
})

test("publishes a file in a post, and a post with its answer", async () => {
  const agent = await signedIn("file")
  const { blob } = (await agent.uploadBlob(picture, { encoding: "image/jpeg" })).data
  const embed = {
    $type: "app.bsky.embed.images" as const,
    images: [
      {
        $type: "app.bsky.embed.images#image" as const,
        image: blob,
        alt: "Bells",
        aspectRatio: { $type: "app.bsky.embed.defs#aspectRatio" as const, width: 4, height: 3 }
      }
    ]
  }
  const { cid, uri } = await agent.post({ text: "Look", embed })
  const ref = { $type: "com.atproto.repo.strongRef" as const, uri, cid }
  const answer = await agent.post({ text: "And hear", reply: { root: ref, parent: ref } })
  const [first, second, ...more] = await network.published("bluesky", "file")
  assert.deepEqual(
    [first!.media.map(({ alt_text, content_type }) => [content_type, alt_text]), more],
    [[["image/jpeg", "Bells"]], []]
  )
  assert.deepEqual(
    [second!.details!["uri"], second!.details!["reply"]],
    [answer.uri, { root: ref, parent: ref }]
  )
  await assert.rejects(
    agent.post({ text: "Lost", reply: { root: ref, parent: { ...ref, cid: answer.cid } } }),
    refusal(400, "InvalidRequest")
  )
})

test("publishes a post under a key of its own once; then a gate under it", async () => {
  const agent = await signedIn("keyed")
  const rkey = "3n2t2guw6ets2"
  const repo = agent.assertDid
  const create = (text: string) =>
    agent.app.bsky.feed.post.create({ repo, rkey }, { text, createdAt: new Date().toISOString() })
  const { uri } = await create("Once")
  assert.equal(keyOf(uri), rkey)
  await assert.rejects(create("Twice"), refusal(500, "InternalServerError"))
  const gate = () =>
    agent.app.bsky.feed.threadgate.create(
      { repo, rkey },
      {
        post: uri,
        createdAt: new Date().toISOString(),
        allow: [{ $type: "app.bsky.feed.threadgate#mentionRule" }]
      }
    )
  await gate()
  await assert.rejects(gate(), refusal(500, "InternalServerError"))
  const published = await network.published("bluesky", "keyed")
  assert.deepEqual(
    published.map(({ details, text }) => [text, details!["threadgate"]]),
    [["Once", [{ $type: "app.bsky.feed.threadgate#mentionRule" }]]]
  )
})

test("writes what createRecord is given as applyWrites does: its handle for its DID, no $type, validated", async () => {
  const agent = await signedIn("created")
  const { data } = await agent.com.atproto.repo.createRecord({
    repo: "created.bsky.sandbox",
    collection: "app.bsky.feed.post",
    record: { text: "Plain", createdAt: "2026-11-24T12:00:00Z" },
    validate: true
  })
  assert.deepEqual([data.validationStatus, data.commit?.cid !== undefined], ["valid", true])
  const applied = await agent.com.atproto.repo.applyWrites({
    repo: agent.assertDid,
    validate: true,
    writes: [
      {
        $type: "com.atproto.repo.applyWrites#create",
        collection: "app.bsky.feed.post",
        value: { $type: "app.bsky.feed.post", text: "Applied", createdAt: "2026-11-24T13:00:00+01:00" }
      }
    ]
  })
  const published = await network.published("bluesky", "created")
  const [result] = applied.data.results!
  assert.deepEqual(
    published.map(({ details, text }) => [text, details!["uri"]]),
    [
      ["Plain", data.uri],
      ["Applied", (result as { uri: string }).uri]
    ]
  )
})

test("what it is refused, it is told", async () => {
  const agent = await signedIn("refused-post")
  const { blob } = (await agent.uploadBlob(new Uint8Array([1]), { encoding: "image/png" })).data
  const other = await signedIn("another")
  const image = { $type: "app.bsky.embed.images" as const, images: [{ image: blob, alt: "" }] }
  const create = (body: object) =>
    agent.com.atproto.repo.createRecord({
      repo: agent.assertDid,
      collection: "app.bsky.feed.post",
      record: { text: "Hello", createdAt: new Date().toISOString() },
      ...body
    })
  const like = () =>
    agent.like(
      "at://did:web:another.bsky.sandbox/app.bsky.feed.post/3n2t2guw6ets2",
      "bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua"
    )
  for (const [make, status, error] of [
    [() => agent.post({ text: "x".repeat(301) }), 400, "InvalidRequest"],
    [() => other.post({ text: "Not mine", embed: image }), 400, "BlobNotFound"],
    [() => create({ repo: other.assertDid }), 401, "AuthenticationRequired"],
    [() => create({ collection: "app.bsky.feed.threadgate" }), 400, "InvalidRequest"],
    [() => create({ rkey: "not-a-tid" }), 400, "InvalidRequest"],
    [() => create({ record: { text: "When?" } }), 400, "InvalidRequest"],
    [like, 400, "InvalidRequest"]
  ] as const)
    await assert.rejects(make(), refusal(status, error))
  assert.deepEqual(await network.published("bluesky", "refused-post"), [])
})

test("a session that was begun by the server's own name goes on by that", async () => {
  // The host is the first part of the path there, and the library keeps no path.
  const session = new CredentialSession(new URL(network.url), (input, init) => {
    const { pathname, search } = new URL(new Request(input, init).url)
    return fetch(`${network.url}/bsky.sandbox${pathname}${search}`, init)
  })
  await session.login({ identifier: "by-name.bsky.sandbox", password })
  assert.equal(session.pdsUrl?.origin, "https://bsky.sandbox")
})
