import assert from "node:assert/strict"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { after, before, test } from "node:test"
import sharp from "sharp"
import { type CarillonProcess, type Post, startCarillon } from "./CarillonProcess.ts"
import { type Facet, type ListedPost, type PdsAccount, type RealPds, startPds } from "./RealPds.ts"
import { type Relay, startRelay } from "./Relay.ts"
import { startVideoService, type VideoService } from "./VideoService.ts"
import { until } from "@carillon/testing/Until"

/** The most that the lexicon of app.bsky.embed.images allows for one image. */
const imageLimitBytes = 2_000_000
const toleranceMs = 1_000
/** Generous: after a kill, a lease of the dead process may have to lapse first. */
const resultWithinMs = 150_000

const photographPath = join(import.meta.dirname, "node_modules/exif/test/sony-alpha-6000.jpg")

let pds: RealPds
/** Between the service and the PDS, at the PDS's own address. */
let relay: Relay
let address: string
let alice: PdsAccount
let marie: PdsAccount
let carillon: CarillonProcess
let account: {
  readonly id: number
  readonly username: string
  readonly status: string
  readonly limits: unknown
}
let photograph: Buffer
let videoService: VideoService

before(async () => {
  photograph = await readFile(photographPath)
  relay = await startRelay(() => pds.origin, "/xrpc/com.atproto.repo.applyWrites")
  address = relay.origin.replace("127.0.0.1", "localhost")
  pds = await startPds(address)
  alice = await pds.createAccount("alice")
  marie = await pds.createAccount("marie")
  videoService = await startVideoService(pds.origin)
  carillon = await startCarillon({ BLUESKY_VIDEO_URL: videoService.origin, BLUESKY_PLC_URL: pds.directory })
})

after(async () => {
  await carillon?.stop()
  videoService?.stop()
  relay?.stop()
  await pds?.stop()
})

const inMs = (ms: number) => new Date(Date.now() + ms)
const schedule = (due: Date, caption: string, more: Record<string, unknown> = {}) =>
  carillon.call<Post>(201, "POST", "/v1/posts", {
    social_accounts: [account.id],
    caption,
    scheduled_at: due.toISOString(),
    ...more
  })

const postsSaying = async (text: string): Promise<ReadonlyArray<ListedPost>> =>
  (await alice.posts()).filter((post) => post.value.text === text)

/** What is not among those before. Posts of one second have keys in no order, and a new one may stand before an older one. */
const added = <A extends { readonly uri: string }>(before: ReadonlyArray<A>, after: ReadonlyArray<A>) =>
  after.filter(({ uri }) => before.every((one) => one.uri !== uri))

const theOnly = <A>(found: ReadonlyArray<A>): A => {
  assert.equal(found.length, 1)
  return found[0]!
}

/** Publishes a few times while what it times is not within the tolerance: a machine that stood still is no answer. */
const inTime = async (
  publish: (
    attempt: number
  ) => Promise<{ readonly due: Date; readonly times: Readonly<Record<string, number>> }>
) => {
  for (let attempt = 1; ; attempt++) {
    const { due, times } = await publish(attempt)
    const off = Object.entries(times).filter(([, at]) => Math.abs(at - due.getTime()) > toleranceMs)
    if (off.length === 0) return
    const words = off.map(([what, at]) => `${what} is ${at - due.getTime()} ms after the due time`)
    assert.ok(attempt < 5, `${words.join(", ")} ${due.toISOString()}`)
  }
}

/** Each facet as the words it covers and what it makes of them, in the order of the text. */
const facetsOf = (text: string, facets: ReadonlyArray<Facet>) => {
  const bytes = Buffer.from(text, "utf8")
  return facets
    .toSorted((one, other) => one.index.byteStart - other.index.byteStart)
    .map(({ index, features }) => ({
      words: bytes.subarray(index.byteStart, index.byteEnd).toString("utf8"),
      features
    }))
}

/** The mean difference of two pictures per channel, 0 to 255, seen as they are shown. */
const difference = async (one: Buffer, other: Buffer): Promise<number> => {
  const thumbnail = (bytes: Buffer) =>
    sharp(bytes).autoOrient().resize(64, 64, { fit: "fill" }).removeAlpha().raw().toBuffer()
  const [left, right] = [await thumbnail(one), await thumbnail(other)]
  return left.reduce((sum, value, at) => sum + Math.abs(value - right[at]!), 0) / left.length
}

/** That a published image is the original, upright, whole, and of a size that Bluesky takes. */
const assertPublishedImage = async (post: ListedPost, original: Buffer, alt: string) => {
  const embed = post.value.embed
  assert.equal(embed?.$type, "app.bsky.embed.images")
  const image = theOnly(embed.images)
  assert.equal(image.alt, alt)

  const bytes = await alice.blob(image.image.ref.$link)
  assert.equal(bytes.length, image.image.size)
  assert.ok(bytes.length <= imageLimitBytes, `${bytes.length} bytes`)

  const published = await sharp(bytes).metadata()
  assert.equal(`image/${published.format}`, image.image.mimeType)
  assert.equal(published.orientation ?? 1, 1)

  const { autoOrient: shown } = await sharp(original).metadata()
  const longest = Math.max(published.width, published.height)
  assert.ok(longest >= 1_000 && longest <= Math.max(shown.width, shown.height), `${longest} pixels`)
  const [is, was] = [published.width / published.height, shown.width / shown.height]
  assert.ok(Math.abs(is / was - 1) < 0.01, `aspect ${is} instead of ${was}`)
  const said = image.aspectRatio.width / image.aspectRatio.height
  assert.ok(Math.abs(said / is - 1) < 0.01, `aspectRatio says ${said}, the image is ${is}`)
  assert.ok((await difference(bytes, original)) < 4)
}

test("connects an account with its app password", async () => {
  account = await carillon.call(201, "POST", "/v1/social-accounts", {
    platform: "bluesky",
    credentials: { identifier: alice.handle, app_password: alice.appPassword, service: address }
  })
  assert.equal(typeof account.id, "number")
  assert.equal(account.username, alice.handle)
  assert.equal(account.status, "connected")
  // As the stock PDS has it. The service that makes videos ready is in the same private network.
  assert.deepEqual(account.limits, { file_bytes: 5 * 1024 * 1024, video_service: true })
})

test("refuses a wrong app password in words", async () => {
  const refused = await carillon.call<{ code: string; detail: string }>(400, "POST", "/v1/social-accounts", {
    platform: "bluesky",
    credentials: { identifier: alice.handle, app_password: "aaaa-bbbb-cccc-dddd", service: pds.origin }
  })
  assert.match(refused.detail, /\S/)
  assert.doesNotMatch(refused.detail, /aaaa-bbbb/)
})

test("connects no account by a server that its DID document does not name", async () => {
  const refused = await carillon.call<{ errors: ReadonlyArray<{ code: string; message: string }> }>(
    400,
    "POST",
    "/v1/social-accounts",
    {
      platform: "bluesky",
      // The server itself, past the address that it gives to others.
      credentials: { identifier: alice.handle, app_password: alice.appPassword, service: pds.origin }
    }
  )
  assert.equal(theOnly(refused.errors).code, "account_elsewhere")
  assert.ok(refused.errors[0]!.message.includes(address))
})

test("publishes a scheduled photograph at its time, once, with its text, facets and alt text", async () => {
  assert.ok(photograph.length > 2_000_000)
  await inTime(publishPhotograph)
})

const publishPhotograph = async (attempt: number) => {
  const link = `https://example.org/photos?at=dusk&n=${attempt}`
  const mention = `@${marie.handle}`
  const caption = `Über Paris 👨‍👩‍👧‍👦 zum 21. März: ${link}, seen with ${mention} 🇫🇷 #été`
  const alt = "Paris at dusk from above: the lit Eiffel Tower under a sky going from orange to blue 🌆"

  const media = await carillon.upload(photograph, "image/jpeg", "paris.jpg")
  const due = inMs(3_000)
  const post = await schedule(due, caption, {
    media: [media],
    platform_configurations: { bluesky: { alt_text: alt, langs: ["en"] } }
  })
  assert.equal(post.status, "scheduled")
  assert.equal(post.scheduled_at, due.toISOString())

  const result = await carillon.result(post.id, resultWithinMs)
  assert.deepEqual(
    { status: result.status, success: result.success, error: result.error, platform: result.platform },
    { status: "published", success: true, error: null, platform: "bluesky" }
  )

  assert.equal((await alice.posts()).length, attempt)
  const record = theOnly(await postsSaying(caption))
  assert.equal(record.value.text, caption)
  assert.deepEqual(record.value.langs, ["en"])
  assert.deepEqual(facetsOf(caption, record.value.facets ?? []), [
    { words: link, features: [{ $type: "app.bsky.richtext.facet#link", uri: link }] },
    { words: mention, features: [{ $type: "app.bsky.richtext.facet#mention", did: marie.did }] },
    { words: "#été", features: [{ $type: "app.bsky.richtext.facet#tag", tag: "été" }] }
  ])
  await assertPublishedImage(record, photograph, alt)

  const times = {
    published_at: Date.parse(result.published_at!),
    createdAt: Date.parse(record.value.createdAt),
    "the server's own commit": await alice.lastCommitAt()
  }

  const [repo, , key] = record.uri.slice("at://".length).split("/")
  assert.equal(repo, alice.did)
  assert.ok(
    [alice.did, alice.handle].some(
      (who) => result.platform_data?.url === `https://bsky.app/profile/${who}/post/${key}`
    ),
    `${result.platform_data?.url} is not the address of ${record.uri}`
  )
  const { status } = await carillon.call<Post>(200, "GET", `/v1/posts/${post.id}`)
  assert.equal(status, "published")
  return { due, times }
}

test("publishes a text at once", () =>
  inTime(async (attempt) => {
    const before = await alice.posts()
    const text = `Published at once: plain words, nothing else. ${attempt}`
    const started = new Date()
    const post = await carillon.call<Post>(201, "POST", "/v1/posts", {
      social_accounts: [account.id],
      caption: text
    })
    const result = await carillon.result(post.id, resultWithinMs)
    assert.equal(result.status, "published")

    const record = theOnly(await postsSaying(text))
    assert.equal((await alice.posts()).length, before.length + 1)
    assert.deepEqual(record.value.facets ?? [], [])
    assert.equal(record.value.embed, undefined)
    return { due: started, times: { createdAt: Date.parse(record.value.createdAt) } }
  }))

test("publishes upright a photograph for which the camera was held sideways", async () => {
  const sideways = await sharp(photograph).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer()
  assert.ok(sideways.length > imageLimitBytes)
  const text = "Upright, whichever way the camera was held."
  const media = await carillon.upload(sideways, "image/jpeg", "sideways.jpg")
  const post = await carillon.call<Post>(201, "POST", "/v1/posts", {
    social_accounts: [account.id],
    caption: text,
    media: [media]
  })
  assert.equal((await carillon.result(post.id, resultWithinMs)).status, "published")
  await assertPublishedImage(theOnly(await postsSaying(text)), sideways, "")
})

test("writes the gates of a post in the same commit, and labels, languages and tags into it", async () => {
  const text = "Behind its gates."
  const list = { collection: "app.bsky.graph.list", rkey: "3kabcdefghijk" }
  const value = {
    $type: list.collection,
    purpose: "app.bsky.graph.defs#curatelist",
    name: "Friends",
    createdAt: new Date().toISOString()
  }
  assert.equal(await alice.create([{ ...list, value }]), 200)
  const post = await carillon.call<Post>(201, "POST", "/v1/posts", {
    social_accounts: [account.id],
    caption: text,
    platform_configurations: {
      bluesky: {
        langs: ["en", "de"],
        tags: ["bells", "old towns"],
        labels: ["graphic-media"],
        reply_gate: ["mentioned", "followers", "following"],
        reply_lists: [`https://bsky.app/profile/${alice.handle}/lists/${list.rkey}`],
        quote_gate: "nobody"
      }
    }
  })
  assert.equal((await carillon.result(post.id, resultWithinMs)).status, "published")
  const record = theOnly(await postsSaying(text))
  const { createdAt, labels, langs, tags } = record.value
  assert.deepEqual(
    { labels, langs, tags },
    {
      labels: { $type: "com.atproto.label.defs#selfLabels", values: [{ val: "graphic-media" }] },
      langs: ["en", "de"],
      tags: ["bells", "old towns"]
    }
  )
  const gate = async (collection: string) => {
    const { uri, value } = theOnly(await alice.records<object>(collection))
    assert.equal(uri, record.uri.replace("app.bsky.feed.post", collection))
    return value
  }
  assert.deepEqual(await gate("app.bsky.feed.threadgate"), {
    $type: "app.bsky.feed.threadgate",
    post: record.uri,
    createdAt,
    allow: [
      { $type: "app.bsky.feed.threadgate#mentionRule" },
      { $type: "app.bsky.feed.threadgate#followerRule" },
      { $type: "app.bsky.feed.threadgate#followingRule" },
      {
        $type: "app.bsky.feed.threadgate#listRule",
        list: `at://${alice.did}/${list.collection}/${list.rkey}`
      }
    ]
  })
  assert.deepEqual(await gate("app.bsky.feed.postgate"), {
    $type: "app.bsky.feed.postgate",
    post: record.uri,
    createdAt,
    embeddingRules: [{ $type: "app.bsky.feed.postgate#disableRule" }]
  })
})

test("publishes a thread in one commit: each item answers the one before by the CID that the server gave it", async () => {
  const media = await carillon.upload(
    await sharp({ create: { width: 300, height: 200, channels: 3, background: "#345" } })
      .png()
      .toBuffer(),
    "image/png",
    "bell.png"
  )
  const before = await alice.posts()
  const gates = await alice.records<object>("app.bsky.feed.threadgate")
  const texts = [
    "The first of a thread. Über 🔔",
    "The second, seen with a picture.",
    `The third: @${marie.handle} #été`
  ]
  const post = await carillon.call<Post>(201, "POST", "/v1/posts", {
    social_accounts: [account.id],
    caption: texts[0],
    thread: [{ caption: texts[1], media: [media] }, texts[2]],
    platform_configurations: {
      bluesky: { langs: ["en"], labels: ["nudity"], reply_gate: "nobody", quote_gate: "nobody" }
    }
  })
  const result = await carillon.result(post.id, resultWithinMs)
  assert.equal(result.status, "published", JSON.stringify(result))
  const [first, second, third, ...others] = added(before, await alice.posts())
  assert.deepEqual(others, [])
  assert.deepEqual(
    [first, second, third].map((one) => one!.value.text),
    texts
  )
  const [root, parent] = [first, second].map((one) => ({ uri: one!.uri, cid: one!.cid }))
  assert.deepEqual(
    [first, second, third].map((one) => one!.value.reply),
    [undefined, { root, parent: root }, { root, parent }]
  )
  assert.equal(second!.value.embed?.$type, "app.bsky.embed.images")
  assert.deepEqual(third!.value.langs, ["en"])
  const written = added(gates, await alice.records<object>("app.bsky.feed.threadgate"))
  assert.deepEqual(
    written.map(({ uri }) => uri),
    [first!.uri.replace("app.bsky.feed.post", "app.bsky.feed.threadgate")]
  )
})

test("finds a thread of which the answer was lost whole and once, when the same commit is refused", async () => {
  const before = await alice.posts()
  const texts = ["A thread in silence.", "Its second.", "Its third."]
  const commits = relay.posts()
  const lost = relay.loseNextReply()
  const post = await carillon.call<Post>(201, "POST", "/v1/posts", {
    social_accounts: [account.id],
    caption: texts[0],
    thread: texts.slice(1),
    platform_configurations: { bluesky: { quote_gate: "nobody" } }
  })
  await lost
  const result = await carillon.result(post.id, resultWithinMs)
  assert.equal(result.status, "published", JSON.stringify(result))
  const live = added(before, await alice.posts())
  assert.deepEqual(
    live.map(({ value }) => value.text),
    texts
  )
  assert.equal(result.platform_data?.id, live[0]!.uri)
  assert.equal(relay.posts(), commits + 2)
})

test("publishes nothing of a thread of which the server refuses an item", async () => {
  const before = await alice.posts()
  const value = (text: string) => ({ $type: "app.bsky.feed.post", text, createdAt: new Date().toISOString() })
  const collection = "app.bsky.feed.post"
  const status = await alice.create([
    { collection, rkey: "3kaaaaaaaaaaa", value: value("The first.") },
    { collection, rkey: "3kbbbbbbbbbbb", value: value("x".repeat(301)) }
  ])
  assert.equal(status, 400)
  assert.equal((await alice.posts()).length, before.length)
})

test("creates nothing where one key of a commit is taken, and says so with status 500", async () => {
  const [taken] = await alice.posts()
  const rkey = taken!.uri.split("/").at(-1)
  const value = { $type: "app.bsky.feed.post", text: "Not there.", createdAt: new Date().toISOString() }
  const collection = "app.bsky.feed.post"
  assert.equal(
    await alice.create([
      { collection, rkey: "3kzzzzzzzzzzz", value },
      { collection, rkey, value }
    ]),
    500
  )
  assert.deepEqual(await postsSaying("Not there."), [])
})

test("quotes a post by its page, and says when there is none", async () => {
  const [quoted] = await alice.posts()
  const page = (rkey: string) => `https://bsky.app/profile/${alice.handle}/post/${rkey}`
  const quoting = (quote: string) =>
    carillon.call<Post>(201, "POST", "/v1/posts", {
      social_accounts: [account.id],
      caption: `On ${quote}`,
      platform_configurations: { bluesky: { quote, link_card: "off" } }
    })
  const there = page(quoted!.uri.split("/").at(-1)!)
  assert.equal((await carillon.result((await quoting(there)).id, resultWithinMs)).status, "published")
  assert.deepEqual(theOnly(await postsSaying(`On ${there}`)).value.embed, {
    $type: "app.bsky.embed.record",
    record: { uri: quoted!.uri, cid: quoted!.cid }
  })
  const missing = await carillon.result((await quoting(page("3kzzzzzzzzzzz"))).id, resultWithinMs)
  assert.equal(missing.status, "failed")
  assert.match(JSON.stringify(missing.error), /post_not_found/)
})

test("publishes five pictures as a gallery, in their order", async () => {
  const text = "Five at once."
  const media: Array<string> = []
  for (let index = 0; index < 5; index++) {
    const bytes = await sharp({
      create: { width: 300 + index, height: 200, channels: 3, background: "#345" }
    })
      .png()
      .toBuffer()
    media.push(await carillon.upload(bytes, "image/png", `${index}.png`))
  }
  const post = await carillon.call<Post>(201, "POST", "/v1/posts", {
    social_accounts: [account.id],
    caption: text,
    media
  })
  assert.equal((await carillon.result(post.id, resultWithinMs)).status, "published")
  const embed = theOnly(await postsSaying(text)).value.embed
  assert.equal(embed?.$type, "app.bsky.embed.gallery")
  assert.deepEqual(
    embed.items?.map(({ aspectRatio }) => aspectRatio.width),
    [300, 301, 302, 303, 304]
  )
})

test("publishes a video that the video service has written to the server", async () => {
  const file = await readFile(
    join(import.meta.dirname, "../../packages/server/test/media/fixtures/video.mp4")
  )
  const text = "Bells in motion."
  const subtitles = "WEBVTT\n\n00:00.000 --> 00:01.000\nThe bells ring."
  const media = await carillon.upload(file, "video/mp4", "bells.mp4")
  const post = await carillon.call<Post>(201, "POST", "/v1/posts", {
    social_accounts: [account.id],
    caption: text,
    media: [media],
    platform_configurations: {
      bluesky: { alt_text: "A bell swings", captions: [{ lang: "en", text: subtitles }], presentation: "gif" }
    }
  })
  const result = await carillon.result(post.id, resultWithinMs)
  assert.equal(result.status, "published", JSON.stringify(result.error))
  const embed = theOnly(await postsSaying(text)).value.embed
  assert.equal(embed?.$type, "app.bsky.embed.video")
  assert.equal(embed.alt, "A bell swings")
  assert.equal(embed.presentation, "gif")
  const { file: subtitled, lang } = theOnly(embed.captions!)
  assert.deepEqual([lang, subtitled.mimeType], ["en", "text/vtt"])
  assert.equal((await alice.blob(subtitled.ref.$link)).toString(), subtitles)
  assert.deepEqual(await alice.blob(embed.video!.ref.$link), file)
})

test("shows the page that a text leads to as a card", async () => {
  const picture = await sharp({ create: { width: 600, height: 315, channels: 3, background: "#345" } })
    .jpeg()
    .toBuffer()
  const site = createServer(({ url }, answer) => {
    const isPage = url === "/bells"
    answer.setHeader("content-type", isPage ? "text/html" : "image/jpeg")
    answer.end(
      isPage
        ? `<title>No</title><meta property="og:title" content="Bells &amp; towers">` +
            `<meta property="og:description" content="Of old towns"><meta property="og:image" content="/picture">`
        : picture
    )
  })
  site.listen(0, "127.0.0.1")
  await once(site, "listening")
  try {
    const uri = `http://127.0.0.1:${(site.address() as AddressInfo).port}/bells`
    const post = await carillon.call<Post>(201, "POST", "/v1/posts", {
      social_accounts: [account.id],
      caption: `Read ${uri}`
    })
    assert.equal((await carillon.result(post.id, resultWithinMs)).status, "published")
    const external = theOnly(await postsSaying(`Read ${uri}`)).value.embed?.external
    const { thumb, ...words } = external!
    assert.deepEqual(words, { uri, title: "Bells & towers", description: "Of old towns" })
    assert.deepEqual(await alice.blob(thumb.ref.$link), picture)
  } finally {
    site.close()
  }
})

test("publishes once what was scheduled when the process was killed and started again", async () => {
  const before = await alice.posts()
  const text = "Scheduled, then the process was killed."
  const post = await schedule(inMs(3_000), text)
  await carillon.kill()
  await carillon.start()

  assert.equal((await carillon.result(post.id, resultWithinMs)).status, "published")
  theOnly(await postsSaying(text))
  assert.equal((await alice.posts()).length, before.length + 1)
})

test("loses and doubles nothing when killed in the middle of publishing", async () => {
  const before = await alice.posts()
  const due = inMs(3_000)
  const texts = Array.from({ length: 10 }, (_, index) => `Due with nine others: ${index + 1} of 10.`)
  const posts = await Promise.all(texts.map((text) => schedule(due, text)))
  await until("the first of the ten to appear", 120_000, async () =>
    (await alice.posts()).length > before.length ? true : undefined
  )
  await carillon.kill()
  await carillon.start()

  for (const post of posts) assert.equal((await carillon.result(post.id, resultWithinMs)).status, "published")
  const seen = added(before, await alice.posts()).map((post) => post.value.text)
  assert.deepEqual(seen.toSorted(), texts.toSorted())
})

test("ends the session at the server when the account is disconnected", async () => {
  assert.equal(alice.sessions(), 1)
  await carillon.call(200, "DELETE", `/v1/social-accounts/${account.id}`)
  await until("the session to end", resultWithinMs, async () => (alice.sessions() === 0 ? true : undefined))
})

test("writes neither the app password nor a token of the account into its log", () => {
  assert.equal(carillon.log().includes(alice.appPassword), false)
  // Every token of the PDS is a JWT, and every JWT begins with the base 64 of `{"`.
  assert.equal(/eyJ[\w-]{10,}\.eyJ/.test(carillon.log()), false)
})
