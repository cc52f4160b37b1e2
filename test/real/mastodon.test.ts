import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import sharp from "sharp"
import { type CarillonProcess, type Post, startCarillon } from "./CarillonProcess.ts"
import { until } from "@carillon/testing/Until"
import { type MastodonServer, startSnac } from "./MastodonServer.ts"
import { type Relay, startRelay } from "./Relay.ts"

const { MASTODON_SERVER, MASTODON_TOKEN, SNAC } = process.env
const given =
  SNAC !== undefined
    ? () => startSnac(SNAC)
    : MASTODON_SERVER !== undefined && MASTODON_TOKEN !== undefined
      ? async () => ({ origin: MASTODON_SERVER, token: MASTODON_TOKEN, stop: async () => {} })
      : undefined
const skip =
  given === undefined &&
  "No mirror of apt's had snac: name its program in SNAC, or a server and a token in MASTODON_SERVER and MASTODON_TOKEN."

/** Generous: two look-ups stand apart, and after a kill the lease of the dead process has to lapse first. */
const resultWithinMs = 150_000

const picture = (background: string) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .png()
    .toBuffer()

interface Status {
  readonly id: string
  readonly content: string
  readonly visibility: string
  readonly spoiler_text: string
  readonly in_reply_to_id: string | null
  readonly account: { readonly id: string }
  readonly media_attachments: ReadonlyArray<{ readonly description: string | null; readonly url: string }>
  readonly poll: { readonly options: ReadonlyArray<{ readonly title: string }> } | null
}

describe("a real server of Mastodon's API", { skip }, () => {
  let server: MastodonServer
  let relay: Relay
  let carillon: CarillonProcess
  let account: {
    readonly id: number
    readonly username: string
    readonly status: string
    readonly limits: { readonly characters?: number; readonly media?: number } | null
  }

  before(async () => {
    server = await given!()
    relay = await startRelay(() => server.origin, "/api/v1/statuses")
    carillon = await startCarillon({})
  })

  after(async () => {
    await carillon?.stop()
    relay?.stop()
    await server?.stop()
  })

  const credentials = (access_token: string) => ({
    platform: "mastodon",
    credentials: { server: relay.origin, access_token }
  })
  const publish = (caption: string, mastodon: Record<string, unknown> = {}, rest: object = {}) =>
    carillon.call<Post>(201, "POST", "/v1/posts", {
      social_accounts: [account.id],
      caption,
      platform_configurations: { mastodon },
      ...rest
    })
  /** What the account itself sees, without the service between: posts of every visibility, newest first. */
  const statuses = async (): Promise<ReadonlyArray<Status>> => {
    const answer = await fetch(`${server.origin}/api/v1/timelines/home?limit=40`, {
      headers: { authorization: `Bearer ${server.token}`, accept: "application/json" }
    })
    return (await answer.json()) as ReadonlyArray<Status>
  }
  const live = async (post: Post) => {
    const result = await carillon.result(post.id, resultWithinMs)
    assert.equal(result.status, "published", JSON.stringify(result))
    const found = (await statuses()).filter(({ id }) => id === result.platform_data!.id)
    assert.equal(found.length, 1)
    return { status: found[0]!, data: result.platform_data! }
  }

  /** Where the person ends, who does this on the server's page. */
  const signedIn = async (signIn: (page: string) => Promise<string>) => {
    const { authorize_url } = await carillon.call<{ authorize_url: string }>(
      201,
      "POST",
      "/v1/social-accounts/connect",
      { platform: "mastodon", fields: { server: relay.origin }, redirect_url: "http://127.0.0.1:9/done" }
    )
    const begun = await fetch(authorize_url, { method: "POST", redirect: "manual" })
    const cookie = begun.headers.get("set-cookie")!.split(";", 1)[0]!
    const back = await signIn(begun.headers.get("location")!)
    const ended = await fetch(back, { redirect: "manual", headers: { cookie } })
    return new URL(ended.headers.get("location")!).searchParams
  }

  test("connects an account on the server's own page, and ends its access there", async (context) => {
    const { signIn } = server
    if (signIn === undefined) return context.skip("Who signs in there is not known.")
    const end = await signedIn(signIn)
    assert.equal(end.get("status"), "connected", String(end))
    const id = end.get("social_account_id")!

    // A made-up code opens nobody's account.
    const forged = await signedIn(async (page) => {
      const asked = new URL(page).searchParams
      return `${asked.get("redirect_uri")}?${new URLSearchParams({ code: "made-up", state: asked.get("state")! })}`
    })
    assert.equal(forged.get("status"), "failed", String(forged))

    await carillon.call(200, "DELETE", `/v1/social-accounts/${id}`)
    await until("the access to end", 60_000, async () =>
      carillon.log().includes(`has ended the access of the account ${id}`) ? true : undefined
    )
  })

  test("connects an account with its token", async () => {
    account = await carillon.call(201, "POST", "/v1/social-accounts", credentials(server.token))
    assert.match(account.username, /^\w+@/)
    assert.equal(account.status, "connected")
    assert.equal(typeof account.limits?.characters, "number")
    assert.equal(typeof account.limits?.media, "number")
  })

  test("refuses a wrong token in words that do not repeat it", async () => {
    const refused = await carillon.call<{ detail: string }>(
      400,
      "POST",
      "/v1/social-accounts",
      credentials("nonsense-token")
    )
    assert.match(refused.detail, /rejected the access token/)
    assert.doesNotMatch(refused.detail, /nonsense-token/)
  })

  test("publishes a text, with its visibility and its warning", async () => {
    const caption = "Über *bells* :-) & [towers](https://example.org/towers?a=b&c)"
    const { status, data } = await live(
      await publish(caption, { visibility: "unlisted", spoiler_text: "Loud bells", language: "de" })
    )
    assert.equal(status.spoiler_text, "Loud bells")
    assert.match(status.content, /bells/)
    assert.match(data.url, /^http/)
  })

  test("publishes as many characters as the server takes, and refuses more before anything is sent", async () => {
    const { limits } = account
    const most = Math.min(limits?.characters ?? 500, 20_000)
    await live(await publish("x".repeat(most)))
    if (limits?.characters !== most) return
    const posted = relay.posts()
    await carillon.call(400, "POST", "/v1/posts", {
      social_accounts: [account.id],
      caption: "x".repeat(most + 1)
    })
    assert.equal(relay.posts(), posted)
  })

  test("publishes pictures in their order, each with its description, and keeps those of an earlier post", async () => {
    const send = async (caption: string) => {
      const media = [
        await carillon.upload(await picture("#345"), "image/png", "bell.png"),
        await carillon.upload(await picture("#a53"), "image/png", "bell.png")
      ]
      return live(
        await publish(caption, { alt_text: [`First of ${caption}`, `Second of ${caption}`] }, { media })
      )
    }
    const earlier = await send("Two bells")
    const later = await send("Two more bells")
    for (const [{ status }, caption] of [
      [earlier, "Two bells"],
      [later, "Two more bells"]
    ] as const) {
      assert.deepEqual(
        status.media_attachments.map(({ description }) => description),
        [`First of ${caption}`, `Second of ${caption}`]
      )
    }
    const addresses = [earlier, later].flatMap(({ status }) => status.media_attachments.map(({ url }) => url))
    assert.equal(new Set(addresses).size, 4)
  })

  test("publishes a poll, or says that the server left it out", async () => {
    const { status, data } = await live(
      await publish("High or low?", { poll: { options: ["High", "Low"], duration_hours: 1 } })
    )
    if (status.poll === null) assert.match(JSON.stringify(data), /left out the poll/)
    else
      assert.deepEqual(
        status.poll.options.map(({ title }) => title),
        ["High", "Low"]
      )
  })

  for (const [kind, mastodon, count] of [
    ["a text", {}, 0],
    ["a post that not everybody sees", { visibility: "private" }, 0],
    ["pictures", {}, 2]
  ] as const) {
    test(`finds ${kind} whose reply was lost, and posts it once`, async () => {
      const before = (await statuses()).length
      const posted = relay.posts()
      const media = await Promise.all(
        ["#345", "#a53"]
          .slice(0, count)
          .map(async (colour) => carillon.upload(await picture(colour), "image/png", "bell.png"))
      )
      const lost = relay.loseNextReply()
      const caption = `The reply to ${kind} is lost :-) at [the tower](https://example.org/tower)`
      const post = await publish(caption, mastodon, count === 0 ? {} : { media })
      await lost
      const { status } = await live(post)
      assert.equal((await statuses()).length, before + 1)
      assert.equal(status.media_attachments.length, count)
      if (SNAC !== undefined) assert.equal(relay.posts(), posted + 1)
    })
  }

  test("publishes a thread whose items say the same, each answering the one before, when a reply is lost", async () => {
    const before = (await statuses()).length
    const file = await carillon.upload(await picture("#345"), "image/png", "bell.png")
    const lost = relay.loseNextReply()
    const post = await publish("Ding", {}, { thread: ["Dong", "Dong", { caption: "Dang", media: [file] }] })
    await lost
    const { status: first } = await live(post)
    const all = await statuses()
    assert.equal(all.length, before + 4)
    let parent = first
    for (const words of ["Dong", "Dong", "Dang"]) {
      const next = all.filter(({ in_reply_to_id }) => in_reply_to_id === parent.id)
      assert.equal(next.length, 1, words)
      assert.match(next[0]!.content, new RegExp(words))
      parent = next[0]!
    }
    assert.equal(parent.media_attachments.length, 1)
  })

  test("posts once what was under way when the process was killed", async () => {
    const before = (await statuses()).length
    const lost = relay.loseNextReply()
    const post = await publish("The process ends while the server answers.")
    await lost
    await carillon.kill()
    await carillon.start()
    await live(post)
    assert.equal((await statuses()).length, before + 1)
  })

  test("writes no token into its log", () => {
    assert.equal(carillon.log().includes(server.token), false)
  })
})
