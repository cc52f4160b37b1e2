import { platformRules } from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import sharp from "sharp"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { answered } from "@carillon/testing/Answered"
import { create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service, startService } from "@carillon/testing/ServiceProcess"
import { uprightVideo } from "@carillon/testing/UprightVideo"
import { holdingProxy, type Stop } from "./HoldingProxy.ts"
import { table } from "./Table.ts"

/** `CRASH=all`: at every call of every kind of post. `CRASH=some`: at the call that publishes. Else: those with it in their name. */
const words = process.env["CRASH"] ?? "some"

interface Kind {
  readonly platform:
    | "bluesky"
    | "discord"
    | "facebook"
    | "google_business"
    | "linkedin"
    | "mastodon"
    | "telegram"
    | "threads"
    | "twitter"
    | "youtube"
  /** Undefined: a person consents on the network's page. */
  readonly credentials?: (proxy: string) => Readonly<Record<string, string>>
  /** Of several ways to consent. */
  readonly login?: string
  /** In the address or the credential of each of its calls. */
  readonly mark: RegExp
  readonly account: string
  readonly media: ReadonlyArray<"picture" | "film">
  /** Two more that say the same follow it. */
  readonly thread?: true
  readonly options?: { readonly [name: string]: unknown }
  /** The call that publishes; each item of a thread, or all of them at once. */
  readonly commit: string
  /** How many calls of that name come before it. */
  readonly before_commit?: number
  /** Nobody can tell what became of it after a lost reply. */
  readonly silent?: boolean
  /** A call that is made once for each part of a file: what came before the kill is not sent again. */
  readonly parts?: string
  /** It is found out so many minutes after its time, when its key does not hold any more. */
  readonly late?: number
  /** Another post said the same a moment before. */
  readonly alike?: true
}

const bluesky = (name: string) =>
  ({
    platform: "bluesky",
    credentials: (): Readonly<Record<string, string>> => ({
      identifier: `${name}.bsky.sandbox`,
      app_password: "bell-bell-bell-bell"
    }),
    account: name,
    mark: new RegExp(`${name}\\.bsky`),
    commit: "POST com.atproto.repo.applyWrites"
  }) as const

const bot = (name: string, channel_id: string) =>
  ({
    platform: "discord",
    credentials: () => ({ webhook_or_token: `${name}.sandbox`, channel_id }),
    account: name,
    mark: new RegExp(`Bot ${name}\\.sandbox`),
    media: ["picture"],
    commit: "POST messages"
  }) as const

const telegram = (number: string) =>
  ({
    platform: "telegram",
    credentials: () => ({ chat: `@killed${number}`, bot_token: `${number}:sandbox` }),
    account: `killed${number}`,
    mark: new RegExp(`/bot${number}:`),
    silent: true
  }) as const

const webhook = (name: string, id: string) =>
  ({
    platform: "discord",
    credentials: (url: string) => ({
      webhook_or_token: `${url}/discord.com/api/webhooks/${id}/sandbox-${name}`
    }),
    account: name,
    mark: new RegExp(`sandbox-${name}\\b`),
    media: ["picture"],
    commit: `POST sandbox-${name}`,
    silent: true
  }) as const

const mastodon = (name: string, server: string) =>
  ({
    platform: "mastodon",
    credentials: () => ({ server: `${server}.sandbox`, access_token: `${name}.sandbox` }),
    account: name,
    mark: new RegExp(`Bearer ${name}\\.sandbox`),
    media: ["picture"],
    commit: "POST statuses"
  }) as const

const x = (name: string) =>
  ({
    platform: "twitter",
    account: name,
    mark: new RegExp(`Bearer ${name}~`),
    commit: "POST tweets"
  }) as const

const linkedin = (account: string, login: string) =>
  ({
    platform: "linkedin",
    login,
    account,
    mark: new RegExp(`Bearer ${account}~`),
    commit: "POST posts"
  }) as const

const consented = (platform: Kind["platform"], account: string, commit: string) => ({
  platform,
  account,
  mark: new RegExp(`Bearer ${account}~`),
  commit: `POST ${commit}`
})

const kinds: Readonly<Record<string, Kind>> = {
  "Bluesky with gates": {
    ...bluesky("killed-gates"),
    media: ["picture"],
    options: { reply_gate: ["mentioned"], quote_gate: "nobody" }
  },
  "Bluesky with a video by the video service": {
    ...bluesky("killed-film"),
    mark: /killed-film\.bsky|describeServer|getJobStatus/,
    media: ["film"],
    parts: "POST app.bsky.video.uploadPart"
  },
  "Discord by a bot, minutes later": { ...bot("killed-late", "450000000000000003"), late: 2 },
  "Bluesky with a video as it is": {
    ...bluesky("killed-plain"),
    // The video service does not reach a server of this address.
    credentials: (service) => ({ ...bluesky("killed-plain").credentials(), service }),
    media: ["film"]
  },
  "Discord by a webhook": webhook("killed", "450000000000000001"),
  "a Discord forum by a bot": {
    ...bot("killed-forum", "450000000000000006"),
    commit: "POST threads",
    options: { thread_name: "Bells", applied_tags: ["News"] }
  },
  "Discord by a bot": { ...bot("killed-news", "450000000000000002"), options: { crosspost: true } },
  "Telegram with a picture": { ...telegram("450001"), media: ["picture"], commit: "POST sendPhoto" },
  "Telegram with an album": {
    ...telegram("450002"),
    media: ["picture", "film"],
    commit: "POST sendMediaGroup"
  },
  "a thread on Telegram": {
    ...telegram("450003"),
    media: [],
    thread: true,
    commit: "POST sendMessage"
  },
  "Mastodon, which honours the key": mastodon("killed-key", "mastodon"),
  "Mastodon, an hour later": { ...mastodon("killed-hour", "mastodon"), late: 60 },
  "a server of Mastodon's API that ignores the key": mastodon("killed-ignored", "gotosocial"),
  "snac, for followers": {
    ...mastodon("killed-snac", "snac"),
    media: [],
    options: { visibility: "private" }
  },
  "a thread on Mastodon, which honours the key": { ...mastodon("threaded-key", "mastodon"), thread: true },
  // Texts alone: its items are told apart by what they answer.
  "a thread on a server that ignores the key": {
    ...mastodon("threaded-ignored", "gotosocial"),
    media: [],
    thread: true
  },
  "a thread on Discord by a bot": { ...bot("threaded-bot", "450000000000000004"), thread: true },
  "a thread on Discord by a webhook": { ...webhook("threaded", "450000000000000005"), thread: true },
  "a thread on Bluesky, in one commit": { ...bluesky("threaded-commit"), media: ["picture"], thread: true },
  "X with words alone": { ...x("killed-words"), media: [] },
  "X with a video": { ...x("killed-video"), media: ["film"] },
  "a thread on X": { ...x("threaded-x"), media: ["picture"], thread: true },
  "LinkedIn with a person's video, which nobody can read": {
    ...linkedin("killed-person", "linkedin"),
    media: ["film"]
  },
  "LinkedIn with a page's picture": { ...linkedin("killed-page", "linkedin_pages"), media: ["picture"] },
  "Facebook with words alone": { ...consented("facebook", "killed-post", "feed"), media: [] },
  "Facebook with a picture": { ...consented("facebook", "killed-photo", "feed"), media: ["picture"] },
  "a reel on Facebook": {
    ...consented("facebook", "killed-reel", "video_reels"),
    media: ["film"],
    options: { placement: "reel" },
    before_commit: 1
  },
  "Threads with a picture": {
    ...consented("threads", "killed-container", "threads_publish"),
    media: ["picture"]
  },
  "a thread on Threads": {
    ...consented("threads", "threaded-reply", "threads_publish"),
    media: [],
    thread: true
  },
  "Google Business": { ...consented("google_business", "killed-place", "localPosts"), media: [] },
  "a video on YouTube with a first comment": {
    platform: "youtube",
    account: "killed-comment",
    mark: /youtube\/v3/,
    media: ["film"],
    options: { first_comment: "First" },
    commit: "POST commentThreads"
  },
  "a server that ignores the key, after a post of the same words": {
    ...mastodon("killed-alike", "gotosocial"),
    media: [],
    alike: true
  }
}

const itemsOf = ({ alike, thread }: Kind) => (thread === true ? 3 : alike === true ? 2 : 1)

const files = { picture: ["image/jpeg", "bells.jpg"], film: ["video/mp4", "bells.mp4"] } as const
const bytesOf = {
  picture: Effect.promise(() =>
    sharp({ create: { width: 640, height: 480, channels: 3, background: "#4060a0" } })
      .jpeg()
      .toBuffer()
  ),
  film: Effect.sync(uprightVideo)
}

/** As many as the test network wants of any file. */
const partsOfFilm = 3

/** Seconds. For what hangs: a machine may stand still for half a minute in the middle of it. */
const patience = 300

/** A point at which the service is killed. */
interface Point {
  readonly words: string
  readonly stop: Stop
  /** Of which item it is the commit; left out: of none. */
  readonly item?: number
}

const pointOf = (name: string, stop: Stop): Point => ({
  words: `${stop.position} ${stop.label} #${stop.nth + 1}`,
  stop,
  ...(stop.label === kinds[name]!.commit ? { item: stop.nth - (kinds[name]!.before_commit ?? 0) } : {})
})

/**
 * At the calls that publish: of a thread before each and after its effect, of a single post one or the other in turn. And at the second
 * part of a file.
 */
const somePoints = (name: string) => {
  const { thread, before_commit: nth = 0, commit: label, parts, platform } = kinds[name]!
  const atOnce = platformRules[platform].chains?.at_once === true
  const positions = ["done", "before"] as const
  if (kinds[name]!.options?.["first_comment"] !== undefined)
    return positions.map((position) => pointOf(name, { label, nth: 0, position }))
  return thread === true
    ? (atOnce ? [0] : [0, 1, 2]).flatMap((nth) =>
        positions.map((position) => pointOf(name, { label, nth, position }))
      )
    : [
        pointOf(name, { label, nth, position: positions[Object.keys(kinds).indexOf(name) % 2]! }),
        ...(parts === undefined
          ? []
          : positions.map((position) => pointOf(name, { label: parts, nth: 1, position })))
      ]
}

/**
 * At every call that the kind has made. What comes before the commit of an item of a thread comes after the record of the one before:
 * `threads.test.ts` kills at the writes themselves.
 */
const everyPoint = (name: string, calls: ReadonlyArray<string>) =>
  calls
    .flatMap((label, index) => {
      const nth = calls.slice(0, index).filter((call) => call === label).length
      return (["before", "done", "after"] as const).map((position) => pointOf(name, { label, nth, position }))
    })
    .filter((point) => words === "all" || `${name}: ${point.words}`.includes(words))

/** Of a token that has any. */
const claimsIn = (request: string) =>
  Buffer.from(/Bearer [^.]+\.([^.]+)\./.exec(request)?.[1] ?? "", "base64url").toString()

const publishedOnce = Effect.gen(function* () {
  const { on, url } = yield* SandboxProcess
  const proxy = yield* holdingProxy(
    url,
    (request) =>
      Object.entries(kinds).find(([, { mark }]) => mark.test(`${request} ${claimsIn(request)}`))?.[0]
  )

  /** The addresses of what the network has with this caption: the items of a thread in order, a post with its gates. */
  const publications = Effect.fnUntraced(function* (
    { account, alike, options, platform, silent }: Kind,
    caption: string
  ) {
    const live = (yield* on(platform).publications(account)).filter(({ text }) => text === caption)
    // A webhook cannot answer.
    const isApart = alike === true || (silent === true && platform === "discord")
    assert.deepStrictEqual(
      answered(live),
      live.map((_, item) => (isApart ? -1 : item - 1))
    )
    if (platform === "bluesky")
      for (const { details = {} } of live)
        assert.deepStrictEqual(
          ["threadgate", "postgate"].map((gate) => gate in details),
          Array(2).fill(options !== undefined)
        )
    const comment = options?.["first_comment"] as string | undefined
    if (comment !== undefined)
      for (const { details = {} } of live) assert.deepStrictEqual(details["comments"], [comment])
    return live.map(({ details, id }) =>
      platform === "telegram"
        ? `${url}/t.me/${account}/${String(details?.["message_id"])}`
        : `${url}/posts/${id}`
    )
  })

  const lines: Array<ReadonlyArray<string | number>> = []

  /** The kinds of one service: killed at one point of each at once, and started again. */
  const killed = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
    const service = yield* startService({ env: { SANDBOX_URL: proxy.url } })
    const here = Effect.provideService(Service, service)
    const media = new Map<string, string>()
    for (const file of ["picture", "film"] as const)
      media.set(file, yield* service.upload(yield* bytesOf[file], files[file][0], files[file][1]))
    const accounts = new Map<string, number>()
    for (const name of names) {
      const { account, credentials, login, platform } = kinds[name]!
      if (credentials === undefined) {
        const signIn = login === undefined ? {} : { login }
        accounts.set(name, (yield* here(connectInBrowser(platform, account, signIn)))[0]!)
        continue
      }
      const { body, status } = yield* service.call("POST", "/v1/social-accounts", {
        platform,
        credentials: credentials(proxy.url)
      })
      assert.strictEqual(status, 201, JSON.stringify(body))
      accounts.set(name, body.id)
    }
    const begin = Effect.fnUntraced(function* (name: string, stop?: Stop) {
      const { alike, thread, media: wanted, options = {}, platform } = kinds[name]!
      const caption = `${name} ${SecureRandom.uuidV4Unsafe()}`
      const item = { caption, media: wanted.map((file) => media.get(file)!) }
      const post = {
        social_accounts: [accounts.get(name)!],
        ...item,
        ...(thread === true ? { thread: [item, item] } : {}),
        platform_configurations: { [platform]: options }
      }
      if (alike === true) yield* settled((yield* create(post)).id, patience)
      const watch = proxy.watch(name, stop)
      const { id } = yield* create(post)
      return { name, caption, id, ...watch }
    }, here)

    const survey = Effect.fnUntraced(function* (name: string) {
      const { calls, caption, id } = yield* begin(name)
      const { status, results } = yield* here(settled(id, patience))
      assert.strictEqual(status, "published", JSON.stringify(results))
      assert.lengthOf(yield* publications(kinds[name]!, caption), itemsOf(kinds[name]!))
      return [...calls]
    })

    const points = new Map<string, ReadonlyArray<Point>>()
    for (const name of names) {
      // A bot's key holds for minutes, and of a channel without a message it cannot tell then whether it may read it.
      const isBot = kinds[name]!.commit === "POST messages"
      const calls = words !== "some" || isBot ? yield* survey(name) : []
      points.set(name, words === "some" ? somePoints(name) : everyPoint(name, calls))
    }

    for (let round = 0; round < Math.max(...[...points.values()].map(({ length }) => length)); round++) {
      const begun = yield* Effect.forEach(
        names.flatMap((name) => {
          const point = points.get(name)![round]
          return point === undefined ? [] : [{ name, point }]
        }),
        ({ name, point }) => Effect.map(begin(name, point.stop), (post) => ({ ...post, point }))
      )
      yield* Effect.forEach(
        begun,
        ({ id, name, point, stopped }) =>
          Effect.raceFirst(
            stopped,
            Effect.andThen(
              here(settled(id, patience)),
              point.stop.position === "after"
                ? Effect.void
                : Effect.die(new Error(`${name} was not stopped ${point.words}`))
            )
          ),
        { concurrency: "unbounded" }
      )
      yield* service.kill
      const late = begun.flatMap(({ id, name }) => {
        const { late: minutes } = kinds[name]!
        return minutes === undefined ? [] : [{ id, at: inSeconds(-60 * minutes) }]
      })
      if (late.length > 0) {
        yield* inDatabaseOf({ service, database: service.database })(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            for (const { at, id } of late) yield* sql`update targets set due_at = ${at} where post_id = ${id}`
          })
        )
      }
      yield* service.start
      for (const { calls, caption, id, name, point } of begun) {
        const kind = kinds[name]!
        const { item, stop } = point
        const [result] = (yield* here(settled(id, patience))).results
        const live = yield* publications(kind, caption)
        const what = `${name}, killed ${point.words}: ${JSON.stringify(result)}`
        lines.push([name, point.words, live.length, result.status])
        if (kind.parts !== undefined) {
          const sent = calls.filter((call) => call === kind.parts).length
          // After an answer the service may be killed in the middle of the part that follows.
          const most = stop.position === "done" ? partsOfFilm : partsOfFilm + 1
          assert.isTrue(sent >= partsOfFilm && sent <= most, `${sent} parts, ${what}`)
        }
        // After a reply the service goes on for a moment, and may be killed at the commit that follows.
        if (kind.silent === true && stop.position === "after")
          assert.include(["published", "unconfirmed"], result.status, what)
        else
          assert.strictEqual(
            result.status,
            kind.silent === true && item !== undefined ? "unconfirmed" : "published",
            what
          )
        const whole = itemsOf(kind)
        if (result.status === "published") {
          assert.lengthOf(live, whole, what)
          continue
        }
        const asked =
          result.items?.findIndex(({ status }: { status: string }) => status === "unconfirmed") ?? 0
        const there =
          stop.position === "before" ? [item!] : stop.position === "done" ? [item! + 1] : [asked, asked + 1]
        assert.include(there, live.length, what)
        // A person looks, says what is there, and has the rest go out.
        const decide = Effect.fnUntraced(function* (path: string, body: object) {
          const decided = yield* service.call("POST", path, body)
          assert.strictEqual(decided.status, 200, JSON.stringify(decided.body))
        })
        const isThere = live.length > asked
        if (isThere)
          yield* decide(`/v1/post-results/${result.id}/confirm`, { published: true, url: live[asked] })
        if (live.length < whole) yield* decide(`/v1/posts/${id}/retry`, { force: !isThere })
        const end = yield* here(settled(id, patience))
        const { failed_items = 0, status } = end.results[0]
        assert.deepStrictEqual([status, failed_items], ["published", 0], what)
        assert.lengthOf(yield* publications(kind, caption), whole, what)
      }
    }
  })

  yield* killed(Object.keys(kinds))
  return lines
})

it.live(
  `publishes once on real networks' stand-ins what it was publishing when it was killed: ${words}`,
  () =>
    Effect.gen(function* () {
      const lines = yield* publishedOnce
      console.log(table(["kind", "killed", "publications", "status"], lines))
      if (words === "all" || words === "some") {
        assert.deepStrictEqual(new Set(lines.map(([name]) => name)), new Set(Object.keys(kinds)))
      }
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  1_800_000
)
