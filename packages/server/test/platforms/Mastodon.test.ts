import { textLength } from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import type { Handle } from "@carillon/server/engine/Handle"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { makeMastodon } from "@carillon/server/platforms/mastodon/Mastodon"
import type { MastodonHosts } from "@carillon/server/platforms/mastodon/MastodonConnect"
import { refuseMastodon } from "@carillon/server/platforms/mastodon/MastodonErrors"
import { limitsOf } from "@carillon/server/platforms/mastodon/MastodonServer"
import { plainWords } from "@carillon/server/platforms/PlainWords"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { adapters } from "./Adapters.ts"
import { publisher, somebody } from "./Publisher.ts"
import { type Reply, scriptedServer } from "./ScriptedServer.ts"
import { image, live, noneTaken, takenAre, video } from "./TestRequest.ts"

// Every expectation here is from https://docs.joinmastodon.org: methods/statuses, methods/media, methods/accounts,
// entities/Instance, entities/V1_Instance, api/rate-limits; what other servers do is that of the stand-in's header.

const Network = Layer.merge(SharedSandbox, NodeHttpClient.layerUndici)

const longAgo = DateTime.makeUnsafe(-3_600_000)
const nameIn = (username: string) => username.split("@")[0]!

const apps: MastodonHosts["apps"] = {
  obtain: (_place, _isKnown, register) => register,
  admit: () => Effect.void
}

/** A server's own answers, whatever the token: of its people one, and of itself what is given. `fingers`: what other hosts say of its people. */
const strangers = Effect.fnUntraced(function* (
  instance: object,
  account: object = {},
  { fingers = {}, server = "https://social.example.org" }: Domains = {}
) {
  const { received, url } = yield* scriptedServer(({ path, query }) => {
    const [, host = "", ...rest] = path.split("/")
    if (rest[0] === ".well-known") return fingers[host]?.(query["resource"]) ?? { status: 404 }
    const json = rest.includes("accounts")
      ? { id: "1", username: "alice", ...account }
      : { version: "4.5.2", ...instance }
    return { status: 200, json }
  })
  const client = HttpClient.mapRequest(yield* HttpClient.HttpClient, (request) => {
    const { host, pathname } = new URL(request.url)
    return HttpClientRequest.setUrl(request, `${url}/${host}${pathname}`)
  })
  const { connect } = makeMastodon(client, { allow_http: false, apps, website: "http://127.0.0.1:9" })
  return {
    connected: connect!({ server, access_token: "x" }),
    asked: () =>
      received.filter(({ path }) => path.includes("webfinger")).map(({ path }) => path.split("/")[1])
  }
})

interface Domains {
  readonly server?: string
  readonly fingers?: Readonly<Record<string, (resource: string | undefined) => Reply>>
}

type Server = "mastodon" | "gotosocial" | "snac" | "pleroma" | "terse"
const at = (server: Server) => ({
  ...adapters.mastodon,
  typed: (name: string) => ({ server: `${server}.sandbox`, access_token: `${name}.sandbox` })
})
const adapter = Effect.map(somebody(at("mastodon")), ({ platform }) => platform)

const connected = Effect.fn(function* (server: Server, values: Partial<PublishRequest> = {}) {
  const own = yield* publisher(at(server), { due_at: longAgo, ...values })
  const prepare = own.prepare()
  const commit = (handle: Handle) => Effect.map(own.commit(handle), live)
  const publish = Effect.flatMap(prepare, ({ handle }) => commit(handle))
  return { ...own, prepare, commit, publish, posts: own.publications }
})

layer(Network)("what is Mastodon's own", (it) => {
  describe("connect", () => {
    it.effect("knows which servers honour the key, whatever version they claim", () =>
      Effect.gen(function* () {
        for (const [server, kind] of [
          ["mastodon", "replay"],
          ["gotosocial", "lookup"],
          ["snac", "lookup"],
          ["pleroma", "lookup"],
          ["terse", "lookup"]
        ] as const) {
          const { platform, post, username, account } = yield* connected(server, {
            due_at: DateTime.makeUnsafe(0)
          })
          const now = yield* DateTime.now
          assert.strictEqual(platform.capabilities.reconcile(post, now), kind)
          assert.strictEqual(account.username, `${username}@${server}.sandbox`)
          const local = account.remote_id.slice(account.remote_id.indexOf("/"))
          assert.strictEqual(account.former_remote_id, kind === "replay" ? `compatible${local}` : undefined)
          // "Idempotency keys are stored for up to 1 hour."
          const hour = DateTime.add(now, { hours: 1 })
          assert.strictEqual(platform.capabilities.reconcile(post, hour), "lookup")
        }
      })
    )

    it.effect("gives the server's limits with the account, and again when it is asked", () =>
      Effect.gen(function* () {
        const { account, platform } = yield* connected("snac")
        assert.deepInclude(account.limits, {
          characters: 100_000,
          address_characters: 32,
          media: 4,
          description_characters: 1500,
          image_bytes: 16_777_216,
          image_pixels: 33_177_600,
          video_bytes: 103_809_024,
          video_pixels: 8_294_400,
          video_fps: 120,
          poll_options: 8,
          poll_option_characters: 50,
          poll_min_seconds: 300,
          poll_max_seconds: 2_629_746,
          quotes: false
        })
        assert.include(account.limits!.mime_types!, "video/mp4")
        assert.deepStrictEqual(yield* platform.limits!(account.credentials), account.limits)
      })
    )

    it.effect("takes pictures to a server that names no types of its own, and counts as it does", () =>
      Effect.gen(function* () {
        const caption = `https://example.com/${"x".repeat(4980)}`
        const { account, platform, publish, posts } = yield* connected("pleroma", {
          caption,
          media: [image("a")]
        })
        yield* publish
        assert.lengthOf((yield* posts)[0]!.media, 1)
        const [placement] = platform.rules.within!(account.limits!).placements
        assert.include(placement!.images!.mime_types, "image/jpeg")
        assert.include(placement!.videos!.mime_types, "video/mp4")
        assert.strictEqual(textLength(caption, placement!.caption), placement!.caption.max)
      })
    )

    it("leaves out a limit that is none, and keeps the others", () => {
      const configuration = {
        statuses: { max_characters: "500", max_media_attachments: -1, characters_reserved_per_url: 30 },
        media_attachments: { supported_mime_types: "all", image_size_limit: 1e30 },
        polls: []
      }
      const expected = { address_characters: 30, quotes: false }
      assert.deepStrictEqual(limitsOf({ version: "4.2.0", configuration }), expected)
      assert.deepStrictEqual(limitsOf({ version: "4.2.0", configuration: null }), { quotes: false })
    })

    it("believes no number beyond what a post can have, so that a server cannot make the rules work hard", () => {
      const most = Number.MAX_SAFE_INTEGER
      const { address_characters, characters, poll_min_seconds } = limitsOf({
        version: "4.2.0",
        configuration: {
          statuses: { max_characters: most, characters_reserved_per_url: 60_000_000 },
          polls: { min_expiration: most }
        }
      })
      assert.strictEqual(address_characters, 500)
      assert.strictEqual(characters, 1_000_000)
      assert.strictEqual(poll_min_seconds, 315_360_000)
    })

    it.effect("says of a token for a server that is no Mastodon server that it is none", () =>
      Effect.gen(function* () {
        const signIn = { server: "nothing.sandbox", access_token: "x" }
        const error = yield* Effect.flip((yield* adapter).connect!(signIn))
        assert.strictEqual(error.code, "not_a_mastodon_server")
        assert.match(error.message, /^nothing\.sandbox does not answer like a Mastodon server/)
      })
    )

    it.effect.each([
      ["itself", "long text", { description: "x".repeat(600_000) }, {}],
      ["itself", "many numbers", { rules: Array(20_000).fill(1) }, {}],
      ["itself", "deep lists", { rules: JSON.parse("[".repeat(40) + "]".repeat(40)) }, {}],
      [
        "the account",
        "many fields",
        {},
        { fields: Array.from({ length: 5_000 }, () => ({ name: "", value: "" })) }
      ],
      ["the account", "long text", {}, { note: "x".repeat(600_000) }]
    ] as const)("reads no answer of a server about %s with too %s", ([, , instance, account]) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* strangers(instance, account)).connected)
        assert.strictEqual(error.code, "server_unreachable")
        assert.include(error.message, "answer_too_long")
      })
    )

    it.effect("reads what large servers say of themselves: long rules in many languages", () =>
      Effect.gen(function* () {
        const rule = { id: "1", text: "Be kind.", hint: "x".repeat(1000), translations: {} }
        const translated = Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => [
            `l${index}`,
            { text: "Sei nett.", hint: "x".repeat(500) }
          ])
        )
        const rules = Array.from({ length: 20 }, () => ({ ...rule, translations: translated }))
        const { connected } = yield* strangers({ rules })
        assert.strictEqual((yield* connected).username, "alice@social.example.org")
      })
    )

    /** https://docs.joinmastodon.org/spec/webfinger/ */
    const finger = (href: string) => ({
      status: 200,
      json: {
        subject: "x",
        links: [{ rel: "other" }, { rel: "self", type: "application/activity+json", href }]
      }
    })
    const leads = (location: string, status = 301) => ({ status, headers: { location } })

    it.effect.each<
      [title: string, instance: object, domains: Domains, expected: string, asked: Array<string>]
    >([
      ["another server's", { domain: "mastodon.social" }, {}, "social.example.org", []],
      [
        "another server's, as old servers say it",
        { uri: "https://mastodon.social" },
        {},
        "social.example.org",
        []
      ],
      ["one that only ends alike", { domain: "ample.org" }, {}, "social.example.org", []],
      ["a name below its own", { domain: "www.social.example.org" }, {}, "social.example.org", []],
      ["its own", { domain: "SOCIAL.example.org" }, {}, "social.example.org", []],
      ["none that can be read", { domain: "https://" }, {}, "social.example.org", []],
      ["all of a country", { domain: "uk" }, { server: "https://evil.co.uk" }, "evil.co.uk", []],
      [
        "all companies of a country",
        { domain: "co.uk" },
        { server: "https://evil.co.uk" },
        "evil.co.uk",
        ["co.uk"]
      ],
      [
        "its host's",
        { domain: "github.io" },
        { server: "https://x.github.io", fingers: { "github.io": () => leads("https://github.com/") } },
        "x.github.io",
        ["github.io"]
      ],
      [
        "a domain with another server",
        { domain: "example.org" },
        { fingers: { "example.org": () => finger("https://fedi.example.org/users/alice") } },
        "social.example.org",
        ["example.org"]
      ],
      [
        "a domain that only names it in its path",
        { domain: "example.org" },
        { fingers: { "example.org": () => leads("https://example.net/social.example.org/") } },
        "social.example.org",
        ["example.org"]
      ],
      [
        "a domain that does not answer",
        { domain: "example.org" },
        { fingers: { "example.org": () => "reset" } },
        "social.example.org",
        ["example.org"]
      ],
      [
        "its domain, which leads to it",
        { domain: "example.org" },
        {
          fingers: {
            "example.org": () => leads("https://social.example.org/.well-known/webfinger?resource=x")
          }
        },
        "example.org",
        ["example.org"]
      ],
      [
        "its domain, which answers for it",
        { uri: "https://example.org" },
        { fingers: { "example.org": (who = "") => finger(`https://social.example.org/${who}`) } },
        "example.org",
        ["example.org"]
      ]
    ])("shows of a server that names %s who it really is", ([, instance, domains, expected, asked]) =>
      Effect.gen(function* () {
        const stranger = yield* strangers(instance, {}, domains)
        assert.strictEqual((yield* stranger.connected).username, `alice@${expected}`)
        assert.deepStrictEqual(stranger.asked(), asked)
      })
    )

    it.effect.each([
      ["gargron@mastodon.social", "gargron_mastodon.social"],
      [`gargron@mastodon.social${" ".repeat(400)}`, "gargron_mastodon.social_"],
      ["g".repeat(400), `${"g".repeat(39)}…`],
      ["gargron\u202e\n- 09:00", "gargron_-_09_00"],
      ["zoë.b-c_d", "zoë.b-c_d"]
    ])("shows the server of a person whose name hides it: %j", ([username, shown]) =>
      Effect.gen(function* () {
        const { connected } = yield* strangers({}, { username })
        assert.strictEqual((yield* connected).username, `${shown}@social.example.org`)
      })
    )

    it.effect.each(["mastodon.sandbox", "https://mastodon.sandbox/", "@bell@mastodon.sandbox"])(
      "takes %s for a server",
      (server) =>
        Effect.gen(function* () {
          const platform = yield* adapter
          const { username } = yield* platform.connect!({ server, access_token: "bell.sandbox" })
          assert.strictEqual(username, "bell@mastodon.sandbox")
        })
    )

    it.effect.each([
      "http://mastodon.social",
      "https://mastodon.social/@alice",
      "https://a:b@mastodon.social",
      "localhost",
      "ftp://mastodon.social",
      "mastodon social",
      ""
    ])("calls nothing for %s", (server) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* adapter).connect!({ server, access_token: "x" }))
        assert.strictEqual(error.code, "credentials_rejected")
        assert.match(error.message, /is not a server/)
      })
    )

    it.effect.each(["mastodon", "gotosocial", "snac"] as const)(
      "says that %s does not know the token",
      (server) =>
        Effect.gen(function* () {
          const signIn = { server: `${server}.sandbox`, access_token: "nonsense" }
          const error = yield* Effect.flip((yield* adapter).connect!(signIn))
          assert.deepInclude(error, { class: "reconnect", code: "credentials_rejected" })
          assert.match(error.message, /rejected the access token/)
        })
    )
  })

  describe("a status", () => {
    it.effect("carries every option in Mastodon's words, and each description", () =>
      Effect.gen(function* () {
        const quoted = yield* (yield* connected("gotosocial")).publish
        const { publish, posts } = yield* connected("mastodon", {
          media: [image("a", { alt_text: "A bell" }), image("b")],
          options: {
            visibility: "unlisted",
            spoiler_text: "Loud",
            sensitive: true,
            language: "de",
            quote: quoted.url,
            quote_policy: "followers",
            alt_text: ["x", "Another"],
            focus: ["0.0, 0.5", "-1,.25"]
          }
        })
        const { url, username } = yield* publish
        const [publication] = yield* posts
        assert.include(publication!.details, {
          visibility: "unlisted",
          spoiler_text: "Loud",
          sensitive: true,
          language: "de",
          quoted_status_id: `foreign-${quoted.id}`,
          quote_approval_policy: "followers"
        })
        assert.deepStrictEqual(publication!.details!["focus"], ["0.0,0.5", "-1,.25"])
        assert.deepStrictEqual(
          publication!.media.map(({ alt_text }) => alt_text),
          ["A bell", "Another"]
        )
        assert.isTrue(url!.endsWith(`/@${nameIn(username!)}/${publication!.id}`))
      })
    )

    it.effect("gives each picture the one point that was given, and each video its thumbnail", () =>
      Effect.gen(function* () {
        const pictures = yield* connected("mastodon", {
          media: [image("a"), image("b")],
          options: { focus: "0.1,0.2" }
        })
        yield* pictures.publish
        assert.deepStrictEqual((yield* pictures.posts)[0]!.details!["focus"], ["0.1,0.2", "0.1,0.2"])
        const bytes = new Uint8Array(100)
        const film = yield* connected("mastodon", {
          media: [video("film", Stream.make(bytes), bytes.length)],
          cover: image("cover")
        })
        yield* film.publish
        const [{ details, media } = assert.fail()] = yield* film.posts
        assert.deepInclude(details!["thumbnail"], {
          content_type: "image/jpeg",
          size: "image cover".length,
          sha256: createHash("sha256").update("image cover").digest("hex")
        })
        assert.strictEqual(media[0]!.size, bytes.length)
        assert.notProperty(details, "focus")
      })
    )

    it.effect("a status is not taken by the stand-in with a point or a thumbnail that is none", () =>
      Effect.gen(function* () {
        const { url } = yield* SandboxProcess
        const blob = (type: string) => new Blob(["bytes"], { type })
        const upload = (type: string, rest: Readonly<Record<string, string | Blob>>) =>
          Effect.promise(async () => {
            const body = new FormData()
            body.set("file", blob(type), "file")
            for (const [name, value] of Object.entries(rest)) body.set(name, value)
            const headers = { authorization: "Bearer pointed.sandbox" }
            return (await fetch(`${url}/mastodon.sandbox/api/v2/media`, { method: "POST", headers, body }))
              .status
          })
        assert.strictEqual(yield* upload("image/png", { focus: "1.0,-1.0" }), 200)
        assert.strictEqual(yield* upload("image/png", { focus: "1.1,0" }), 422)
        assert.strictEqual(yield* upload("image/png", { focus: "0" }), 422)
        assert.strictEqual(yield* upload("video/mp4", { thumbnail: blob("image/png") }), 200)
        assert.strictEqual(yield* upload("video/mp4", { thumbnail: blob("video/mp4") }), 422)
      })
    )

    it.effect("a status has no address but one that people can follow", () =>
      Effect.gen(function* () {
        const { account, platform, post } = yield* connected("mastodon")
        const { url: server } = yield* scriptedServer(() => ({
          status: 200,
          json: { id: "1", url: "javascript:alert(1)", uri: `https://example.com/${"x".repeat(3000)}` }
        }))
        const credentials = Redacted.make({ ...Redacted.value(account.credentials), server })
        const { url } = live(yield* platform.commit(post, credentials, { files: {} }))
        assert.strictEqual(url, server)
      })
    )

    it.effect("a status is a poll below the caption, or below a question of its own", () =>
      Effect.gen(function* () {
        const poll = {
          question: "Which?",
          options: ["High", "Low"],
          duration_hours: 2,
          multiple: true,
          hide_totals: true
        }
        const { publish, posts } = yield* connected("mastodon", { options: { poll } })
        yield* publish
        assert.deepStrictEqual((yield* posts)[0]!.details!["poll"], {
          options: ["High", "Low"],
          expires_in: 7200,
          multiple: true,
          hide_totals: true
        })
        assert.strictEqual((yield* posts)[0]!.text, "Hello\n\nWhich?")
      })
    )

    it.effect("says of a poll that the server left out", () =>
      Effect.gen(function* () {
        const poll = { options: ["High", "Low"] }
        const { publish } = yield* connected("snac", { options: { poll } })
        assert.match((yield* publish).warnings![0]!, /left out the poll/)
      })
    )

    it.effect("sends files under names of their own: snac puts one in the place of another of its name", () =>
      Effect.gen(function* () {
        const media = [image("a", { name: "bell.png" }), image("b", { name: "bell.png" })]
        const { publish, posts } = yield* connected("snac", { media })
        yield* publish
        const [first, second] = (yield* posts)[0]!.media
        assert.notStrictEqual(first!.id, second!.id)
      })
    )

    it.effect("a status that quotes is refused before anything is sent where the server has no quotes", () =>
      Effect.gen(function* () {
        const { prepare, requests } = yield* connected("terse", {
          options: { quote: "https://terse.sandbox/@a/1" }
        })
        assert.deepInclude(yield* Effect.flip(prepare), { class: "invalid", code: "quote_not_possible" })
        assert.deepStrictEqual(
          (yield* requests).map(({ operation }) => operation),
          ["account"]
        )
      })
    )

    it.effect("quotes a post of the account's own server, of which the token need not search", () =>
      Effect.gen(function* () {
        const { id } = yield* (yield* connected("mastodon")).publish
        const quote = `https://mastodon.sandbox/@alice/${id}`
        const own = yield* connected("mastodon", { options: { quote } })
        yield* own.publish
        assert.strictEqual((yield* own.posts)[0]!.details!["quoted_status_id"], id)
      })
    )

    it.effect("says of a quote that it waits until its author agrees", () =>
      Effect.gen(function* () {
        const asked = yield* connected("mastodon", { options: { quote_policy: "followers" } })
        const { url } = yield* asked.publish
        const { publish } = yield* connected("mastodon", { options: { quote: url } })
        assert.match((yield* publish).warnings![0]!, /author approves the quote/)
      })
    )

    it.effect.each([
      ["is not there", "public", "quote_not_found"],
      ["not everybody sees", "private", "quote_not_found"],
      ["nobody may quote", "nobody", "quote_not_allowed"]
    ] as const)("sends no file of a quote of a post that %s", ([, kind, code]) =>
      Effect.gen(function* () {
        const other = yield* connected("mastodon", {
          options: kind === "nobody" ? { quote_policy: kind } : { visibility: kind }
        })
        const { url } = yield* other.publish
        const quote = kind === "public" ? `${url}0` : url
        const { prepare, posts, requests } = yield* connected("mastodon", {
          options: { quote },
          media: [image("a")]
        })
        assert.deepInclude(yield* Effect.flip(prepare), { class: "invalid", code })
        assert.lengthOf(yield* posts, 0)
        assert.notInclude(
          (yield* requests).map(({ operation }) => operation),
          "media"
        )
      })
    )

    it.effect("leaves a policy out where there are no quotes", () =>
      Effect.gen(function* () {
        const old = yield* connected("gotosocial", { options: { quote_policy: "nobody" } })
        assert.match((yield* old.publish).warnings![0]!, /^quote_policy was left out/)
        assert.notProperty((yield* old.posts)[0]!.details, "quote_approval_policy")
      })
    )

    it.effect("waits for a file on a server that does not show its files", () =>
      Effect.gen(function* () {
        const { platform, account, post, prepare, commit, script, posts } = yield* connected("snac", {
          media: [image("a")]
        })
        assert.strictEqual((yield* prepare)._tag, "ready")
        yield* script({ on: "media", fault: "processing", polls: 1 })
        const waiting = yield* platform.prepare(post, account.credentials, null, () => Effect.void)
        assert.strictEqual(waiting._tag, "wait")
        const looked = yield* platform.poll(post, account.credentials, waiting.handle)
        assert.strictEqual(looked._tag, "ready")
        // It was not ready all the same: the server says so, and the post goes out later.
        const error = yield* Effect.flip(commit(looked.handle))
        assert.deepInclude(error, { class: "transient" })
        assert.lengthOf(yield* posts, 0)
      })
    )
  })

  describe("an item of a thread", () => {
    it.effect("answers the one before, with the options that it is given", () =>
      Effect.gen(function* () {
        const { platform, account, post, prepare, commit, posts } = yield* connected("mastodon")
        const root = yield* commit((yield* prepare).handle)
        const thread = { index: 1, count: 3, root, parent: root, rest: [] }
        const options = { visibility: "private", spoiler_text: "Loud" }
        const second = { ...post, target_id: `${post.target_id}-1`, caption: "Second", thread, options }
        yield* platform.commit(second, account.credentials, { files: {} })
        assert.deepInclude((yield* posts)[1], {
          text: "Second",
          idempotency_key: second.target_id,
          details: { ...options, in_reply_to_id: root.id, server: "mastodon.sandbox" }
        })
      })
    )

    it.effect.each([
      ["mastodon", "/@alice/"],
      ["gotosocial", "/@alice/statuses/"]
    ] as const)(
      "answers what a person confirmed by its address on %s, if it is still there",
      ([server, path]) =>
        Effect.gen(function* () {
          const { platform, account, post, prepare, commit, posts } = yield* connected(server)
          const { handle } = yield* prepare
          const { id } = yield* commit(handle)
          const answering = (address: string) => {
            const parent = { id: address, url: address, username: null }
            const thread = { index: 1, count: 2, root: parent, parent, rest: [] }
            const item = { ...post, target_id: `answer-to-${address}`, thread }
            return platform.commit(item, account.credentials, handle)
          }
          yield* answering(`https://${server}.sandbox${path}${id}`)
          assert.strictEqual((yield* posts)[1]!.details!["in_reply_to_id"], id)
          const gone = yield* Effect.flip(answering(`https://${server}.sandbox${path}0`))
          assert.deepInclude(gone, { class: "invalid", code: "parent_gone" })
        })
    )

    const itemAfter = (address: string) => {
      const parent = { id: address, url: address, username: null }
      return { caption: "Second", thread: { index: 1, count: 2, root: parent, parent, rest: [] } }
    }

    it.effect.each(["public", "private"])(
      "answers a %s post that a person confirmed by an address without an id, which the server knows",
      (visibility) =>
        Effect.gen(function* () {
          const { platform, account, post, publish, posts, save, script } = yield* connected("snac", {
            options: { visibility }
          })
          const { id, url } = yield* publish
          assert.match(url!, /\/p\/[\d.]+$/)
          // snac finds this one too, and first.
          yield* platform.commit(
            { ...post, target_id: `${post.target_id}-quoting`, caption: `See ${url}` },
            account.credentials,
            { files: {} }
          )
          const item = { ...post, target_id: `${post.target_id}-1`, ...itemAfter(url!) }
          const { handle } = yield* platform.prepare(item, account.credentials, null, save)
          // What was found is kept: another look would find no search.
          yield* script({ on: "post_status", fault: "refuse", status: 404, message: "Not found" })
          const again = yield* platform.prepare(item, account.credentials, handle, save)
          assert.deepStrictEqual(again.handle, handle)
          yield* platform.commit(item, account.credentials, handle)
          assert.strictEqual((yield* posts)[2]!.details!["in_reply_to_id"], id)
          const found = yield* platform.reconcile(item, account.credentials, handle, noneTaken)
          assert.strictEqual(found._tag === "published" && found.data.id, (yield* posts)[2]!.id)
        })
    )

    it.effect(
      "an item of a thread is refused before anything is sent where nobody can tell what it answers",
      () =>
        Effect.gen(function* () {
          const other = yield* (yield* connected("snac")).publish
          const { platform, account, post, script, posts, save } = yield* connected("snac")
          const refused = Effect.fnUntraced(function* (address: string) {
            const item = { ...post, ...itemAfter(address) }
            const error = yield* Effect.flip(platform.prepare(item, account.credentials, null, save))
            assert.deepInclude(error, { class: "invalid", code: "parent_unknown" })
            assert.include(error.message, "Publish the missing items as a separate post")
          })
          yield* refused("https://snac.sandbox/alice/p/1700000000.0")
          // Somebody else's, and a server without a search.
          yield* refused(other.url!)
          yield* script({ on: "post_status", fault: "refuse", status: 404, message: "Not found" })
          yield* refused(other.url!)
          assert.lengthOf(yield* posts, 0)
        })
    )

    it.effect("an item of a thread is looked up by what it answers, in a thread longer than a page too", () =>
      Effect.gen(function* () {
        const { platform, account, post, prepare, commit, script, posts } = yield* connected("gotosocial")
        const { handle } = yield* prepare
        let parent = yield* commit(handle)
        const root = parent
        const itemOf = (index: number) => ({
          ...post,
          target_id: `${post.target_id}-${index}`,
          // The same words as all the others.
          thread: { index, count: 25, root, parent, rest: [] }
        })
        for (let index = 1; index < 22; index++) {
          parent = live(yield* platform.commit(itemOf(index), account.credentials, handle))
        }
        const last = itemOf(22)
        const before = yield* platform.reconcile(last, account.credentials, handle, noneTaken)
        assert.deepStrictEqual(before, { _tag: "not_published" })
        yield* script({ on: "post", fault: "effect_then_lost_reply" })
        yield* Effect.flip(platform.commit(last, account.credentials, handle))
        const found = yield* platform.reconcile(last, account.credentials, handle, noneTaken)
        assert.strictEqual(found._tag === "published" && found.data.id, (yield* posts).at(-1)!.id)
      })
    )
  })

  describe("an error", () => {
    it.effect.each([
      [{ status: 401, message: "The access token was revoked" }, "reconnect"],
      [{ status: 403, message: "This action is outside the authorized scopes" }, "forbidden"],
      [{ status: 413, message: "Payload Too Large" }, "media_rejected"],
      [{ status: 400, message: "content was empty" }, "invalid"],
      [{ status: 422, message: "Validation failed: Text can't be blank" }, "invalid"],
      [{ status: 422, message: "Cannot attach files that have not finished processing." }, "transient"],
      [{ status: 422, message: "Validation failed: File content type is invalid" }, "media_rejected"]
    ] as const)("an error: %j is known", ([refusal, expected]) =>
      Effect.gen(function* () {
        const { publish, script, posts } = yield* connected("mastodon")
        yield* script({ on: "post", fault: "refuse", ...refusal })
        const error = yield* Effect.flip(publish)
        assert.strictEqual(error.class, expected)
        assert.lengthOf(yield* posts, 0)
      })
    )

    it.effect.each(["gotosocial", "terse"] as const)(
      "an error of %s for a file that a post has already asks for another look-up, which finds the post",
      (server) =>
        Effect.gen(function* () {
          const { account, commit, platform, post, posts, prepare, script } = yield* connected(server, {
            caption: "Bells",
            media: [image("a")]
          })
          const { handle } = yield* prepare
          yield* script({ on: "post", fault: "effect_then_lost_reply" })
          yield* Effect.flip(commit(handle))
          const again = yield* Effect.flip(commit(handle))
          assert.strictEqual(again.class, "ambiguous")
          assert.include(again.message, "already attached")
          const found = yield* platform.reconcile(post, account.credentials, handle, noneTaken)
          assert.deepStrictEqual(
            (yield* posts).map(({ id }) => id),
            [found._tag === "published" && found.data.id]
          )
        })
    )

    it.effect("an error of snac without a word is the token", () =>
      Effect.gen(function* () {
        const { publish, script } = yield* connected("snac")
        yield* script({ on: "post", fault: "unauthorized" })
        assert.deepInclude(yield* Effect.flip(publish), { class: "reconnect" })
      })
    )
  })

  it.each([400, 422])("a page in place of an answer says nothing of the token (%i)", (status) => {
    const refused = refuseMastodon({ status, body: null })
    assert.strictEqual(refused.class, "invalid")
    assert.notInclude(refused.message, "token")
  })

  describe("after a lost reply", () => {
    const markup = "Grüße & <b> to @alice@example.com, https://example.com/a?b=c&d 🔔\n\nSecond *line*"

    it.effect.each(["mastodon", "gotosocial", "snac"] as const)(
      "%s is asked, and tells the post by its words or its files",
      (server) =>
        Effect.gen(function* () {
          for (const values of [
            { media: [] },
            { media: [image("a")] },
            { media: [], options: { visibility: "private" } }
          ]) {
            const own = yield* connected(server, { caption: markup, ...values })
            const { handle } = yield* own.prepare
            const { account, platform, post } = own
            const before = yield* platform.reconcile(post, account.credentials, handle, noneTaken)
            assert.deepStrictEqual(before, { _tag: "not_published" })
            yield* own.script({ on: "post", fault: "effect_then_lost_reply" })
            assert.deepInclude(yield* Effect.flip(own.commit(handle)), { class: "ambiguous" })
            const found = yield* platform.reconcile(post, account.credentials, handle, noneTaken)
            assert.strictEqual(found._tag === "published" && found.data.id, (yield* own.posts)[0]!.id)
          }
        })
    )

    it.effect(
      "what went out before a lost reply is found by the server's clock where ours is ten minutes ahead",
      () =>
        Effect.gen(function* () {
          const ours = (yield* TestClock.withLive(Clock.currentTimeMillis)) + 600_000
          yield* TestClock.setTime(ours)
          const { account, platform, post, prepare, commit } = yield* connected("gotosocial", {
            due_at: DateTime.makeUnsafe(ours)
          })
          const { handle } = yield* prepare
          const { id } = yield* commit(handle)
          const found = yield* platform.reconcile(post, account.credentials, handle, noneTaken)
          assert.strictEqual(found._tag === "published" && found.data.id, id)
        })
    )

    it.effect.each([
      ["gotosocial", {}],
      ["snac", { options: { visibility: "direct" } }]
    ] as const)("%s is read five pages back, and of more nobody can tell", ([server, values]) =>
      Effect.gen(function* () {
        const { account, platform, post, posts, prepare } = yield* connected(server, values)
        const { handle } = yield* prepare
        const look = platform.reconcile(post, account.credentials, handle, noneTaken)
        const others = (count: number) =>
          Effect.replicateEffect(
            platform.commit({ ...post, caption: "Another" }, account.credentials, handle),
            count
          )
        yield* others(45)
        assert.deepStrictEqual(yield* look, { _tag: "not_published" })
        const { id } = live(yield* platform.commit(post, account.credentials, handle))
        yield* others(54)
        const found = yield* look
        assert.strictEqual(found._tag === "published" && found.data.id, id)
        assert.lengthOf(yield* posts, 100)
        yield* others(46)
        assert.deepStrictEqual(yield* look, { _tag: "unknown" })
      })
    )

    it.effect("after a lost reply, nobody can tell what is on the next", () =>
      Effect.gen(function* () {
        const { platform } = yield* somebody(at("gotosocial"), {
          through: HttpClient.mapRequest(HttpClientRequest.setUrlParam("max_id", ""))
        })
        const { account, post, prepare, commit } = yield* connected("gotosocial")
        const { handle } = yield* prepare
        yield* Effect.replicateEffect(commit(handle), 20)
        const other = { ...post, caption: "Another" }
        assert.deepStrictEqual(yield* platform.reconcile(other, account.credentials, handle, noneTaken), {
          _tag: "unknown"
        })
      })
    )

    it.effect("what a person gave another post by its address", () =>
      Effect.gen(function* () {
        const { account, commit, platform, post, prepare } = yield* connected("snac")
        const { handle } = yield* prepare
        const { url } = yield* commit(handle)
        assert.deepStrictEqual(
          yield* platform.reconcile(post, account.credentials, handle, takenAre([url!])),
          { _tag: "not_published" }
        )
      })
    )

    it.effect(
      "after a lost reply, where nobody could see what was there before, what is found may be a person's",
      () =>
        Effect.gen(function* () {
          const { account, commit, platform, post, prepare, script } = yield* connected("gotosocial")
          yield* script({ on: "post_search", fault: "server_error_before" })
          const { handle } = yield* prepare
          const look = platform.reconcile(post, account.credentials, handle, noneTaken)
          assert.deepStrictEqual(yield* look, { _tag: "not_published" })
          yield* commit(handle)
          assert.deepStrictEqual(yield* look, { _tag: "unknown" })
        })
    )

    it.effect("looks at what was there before only where a look-up would come upon it", () =>
      Effect.gen(function* () {
        const looksOf = Effect.fnUntraced(function* (server: Server, values: Partial<PublishRequest> = {}) {
          const { prepare, requests } = yield* connected(server, values)
          yield* prepare
          return (yield* requests).filter(({ operation }) => operation === "post_search").length
        })
        const later = { due_at: DateTime.makeUnsafe("2100-01-01T00:00:00Z") }
        assert.deepStrictEqual(
          [
            yield* looksOf("gotosocial"),
            yield* looksOf("snac", { options: { visibility: "direct" } }),
            yield* looksOf("mastodon"),
            yield* looksOf("gotosocial", { media: [image("a")] }),
            yield* looksOf("gotosocial", later)
          ],
          [1, 2, 0, 0, 0]
        )
      })
    )

    it.effect("an older post of the same words is not the one", () =>
      Effect.gen(function* () {
        const { account, commit, platform, post, prepare } = yield* connected("gotosocial")
        const { handle } = yield* prepare
        yield* commit(handle)
        const tomorrow = { ...post, due_at: DateTime.makeUnsafe("2100-01-01T00:00:00Z") }
        assert.deepStrictEqual(yield* platform.reconcile(tomorrow, account.credentials, handle, noneTaken), {
          _tag: "not_published"
        })
      })
    )
  })
})

describe("the words of a text", () => {
  it.each([
    [
      "as Mastodon marks it up",
      "Hi @alice@example.com: https://example.com/abc #bells",
      `<p>Hi <span class="h-card"><a href="https://example.com/@alice">@<span>alice</span></a></span>: <a href="https://example.com/abc"><span class="invisible">https://</span><span>example.com/abc</span></a> <a href="/tags/bells">#<span>bells</span></a></p>`
    ],
    ["in two paragraphs", "One\nTwo\n\nThree", "<p>One<br />Two</p><p>Three</p>"],
    ["as Markdown", "It is **loud**", "<p>It is <strong>loud</strong></p>"],
    ["with references", `A & B <c> "d" 'e' 🔔`, "A &amp; B &lt;c&gt; &quot;d&quot; &#39;e&#x27; &#128276;"]
  ])("the words of a text are the same %s", (_, sent, shown) => {
    assert.strictEqual(plainWords(shown, "html"), plainWords(sent))
  })
})
