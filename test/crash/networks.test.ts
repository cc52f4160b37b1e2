import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import sharp from "sharp"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service, startService } from "@carillon/testing/ServiceProcess"
import { holdingProxy, type Position, type Stop } from "./HoldingProxy.ts"
import { table } from "./Table.ts"

/** `CRASH=all`: at every call of every kind of post. `CRASH=some`: at the call that publishes. Else: those with it in their name. */
const words = process.env["CRASH"] ?? "some"

interface Kind {
  readonly platform: "bluesky" | "discord" | "mastodon" | "telegram"
  readonly credentials: (proxy: string) => Readonly<Record<string, string>>
  /** In the address or the credential of each of its calls. */
  readonly mark: RegExp
  readonly account: string
  readonly media: ReadonlyArray<"picture" | "film">
  readonly options?: object
  /** The call that publishes. */
  readonly commit: string
  /** Nobody can tell what became of it after a lost reply. */
  readonly silent?: boolean
  /** It is found out so many minutes after its time, when its key does not hold any more. */
  readonly late?: number
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

const mastodon = (name: string, server: string) =>
  ({
    platform: "mastodon",
    credentials: () => ({ server: `${server}.sandbox`, access_token: `${name}.sandbox` }),
    account: name,
    mark: new RegExp(`Bearer ${name}\\.sandbox`),
    media: ["picture"],
    commit: "POST statuses"
  }) as const

const kinds: Readonly<Record<string, Kind>> = {
  "Bluesky with gates": {
    ...bluesky("killed-gates"),
    media: ["picture"],
    options: { reply_gate: ["mentioned"], quote_gate: "nobody" }
  },
  "Bluesky with a video by the video service": {
    ...bluesky("killed-film"),
    mark: /killed-film\.bsky|describeServer|getJobStatus/,
    media: ["film"]
  },
  "Discord by a bot, minutes later": { ...bot("killed-late", "450000000000000003"), late: 2 },
  "Bluesky with a video as it is": {
    ...bluesky("killed-plain"),
    // The video service does not reach a server of this address.
    credentials: (service) => ({ ...bluesky("killed-plain").credentials(), service }),
    media: ["film"]
  },
  "Discord by a webhook": {
    platform: "discord",
    credentials: (url) => ({
      webhook_or_token: `${url}/discord.com/api/webhooks/450000000000000001/sandbox-killed`
    }),
    account: "killed",
    mark: /sandbox-killed/,
    media: ["picture"],
    commit: "POST sandbox-killed",
    silent: true
  },
  "Discord by a bot": { ...bot("killed-news", "450000000000000002"), options: { crosspost: true } },
  "Telegram with a picture": { ...telegram("450001"), media: ["picture"], commit: "POST sendPhoto" },
  "Telegram with an album": {
    ...telegram("450002"),
    media: ["picture", "film"],
    commit: "POST sendMediaGroup"
  },
  "Mastodon, which honours the key": mastodon("killed-key", "mastodon"),
  "Mastodon, an hour later": { ...mastodon("killed-hour", "mastodon"), late: 60 },
  "a server of Mastodon's API that ignores the key": mastodon("killed-ignored", "gotosocial"),
  "snac, for followers": { ...mastodon("killed-snac", "snac"), media: [], options: { visibility: "private" } }
}

const files = { picture: ["image/jpeg", "bells.jpg"], film: ["video/mp4", "bells.mp4"] } as const
const bytesOf = {
  picture: Effect.promise(() =>
    sharp({ create: { width: 64, height: 48, channels: 3, background: "#4060a0" } })
      .jpeg()
      .toBuffer()
  ),
  film: Effect.sync(() =>
    readFileSync(join(import.meta.dirname, "../../packages/server/test/media/fixtures/video.mp4"))
  )
}

/** Seconds. For what hangs: a machine may stand still for half a minute in the middle of it. */
const patience = 300

/** A point at which the service is killed. */
interface Point {
  readonly words: string
  readonly position: Position
  readonly stop: Stop
  readonly isCommit: boolean
}

const pointOf = (label: string, number: number | undefined, position: Position, commit: string): Point => ({
  words: `${position} ${label}`,
  isCommit: label === commit,
  position,
  stop: {
    position,
    at: (is, before) => is === label && (number === undefined || number === before)
  }
})

/** At the call that publishes: before it and after its effect in turn. */
const somePoint = (name: string): Point => {
  const { commit } = kinds[name]!
  return pointOf(commit, undefined, Object.keys(kinds).indexOf(name) % 2 === 0 ? "done" : "before", commit)
}

/** At every call that the kind has made. */
const everyPoint = (name: string, calls: ReadonlyArray<string>) =>
  calls
    .flatMap((label, index) =>
      (["before", "done", "after"] as const).map((position) =>
        pointOf(label, index, position, kinds[name]!.commit)
      )
    )
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

  /** How many posts the network has with this caption; each with its gates. */
  const publications = Effect.fnUntraced(function* ({ account, options, platform }: Kind, caption: string) {
    const posts = (yield* on(platform).publications(account)).filter(({ text }) => text === caption)
    if (platform === "bluesky")
      for (const { details = {} } of posts)
        assert.deepStrictEqual(
          ["threadgate", "postgate"].map((gate) => gate in details),
          Array(2).fill(options !== undefined)
        )
    return posts.length
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
      const { credentials, platform } = kinds[name]!
      const { body, status } = yield* service.call("POST", "/v1/social-accounts", {
        platform,
        credentials: credentials(proxy.url)
      })
      assert.strictEqual(status, 201, JSON.stringify(body))
      accounts.set(name, body.id)
    }
    const begin = Effect.fnUntraced(function* (name: string, stop?: Stop) {
      const watch = proxy.watch(name, stop)
      const { media: wanted, options = {}, platform } = kinds[name]!
      const caption = `${name} ${SecureRandom.uuidV4Unsafe()}`
      const { id } = yield* create({
        social_accounts: [accounts.get(name)!],
        caption,
        media: wanted.map((file) => media.get(file)!),
        platform_configurations: { [platform]: options }
      })
      return { name, caption, id, ...watch }
    }, here)

    const survey = Effect.fnUntraced(function* (name: string) {
      const { calls, caption, id } = yield* begin(name)
      const { status, results } = yield* here(settled(id, patience))
      assert.strictEqual(status, "published", JSON.stringify(results))
      assert.strictEqual(yield* publications(kinds[name]!, caption), 1)
      return [...calls]
    })

    const points = new Map<string, ReadonlyArray<Point>>()
    for (const name of names) {
      // Of a channel without a message a bot cannot tell whether it may read it.
      const calls = words !== "some" || kinds[name]!.late !== undefined ? yield* survey(name) : []
      points.set(name, words === "some" ? [somePoint(name)] : everyPoint(name, calls))
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
              point.position === "after"
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
      for (const { caption, id, name, point } of begun) {
        const kind = kinds[name]!
        const post = yield* here(settled(id, patience))
        const [result] = post.results
        const live = yield* publications(kind, caption)
        const what = `${name}, killed ${point.words}: ${JSON.stringify(post.results)}`
        lines.push([name, point.words, live, result.status])
        if (kind.silent !== true || !point.isCommit) assert.strictEqual(result.status, "published", what)
        else if (point.position !== "after") assert.strictEqual(result.status, "unconfirmed", what)
        else assert.include(["published", "unconfirmed"], result.status, what)
        assert.strictEqual(
          live,
          point.isCommit && kind.silent === true && point.position === "before" ? 0 : 1
        )
        if (result.status !== "unconfirmed") continue
        // A person looks, and says what is there.
        const decided =
          live === 0
            ? yield* service.call("POST", `/v1/posts/${id}/retry`, { force: true })
            : yield* service.call("POST", `/v1/post-results/${result.id}/confirm`, { published: true })
        assert.strictEqual(decided.status, 200, JSON.stringify(decided.body))
        assert.strictEqual((yield* here(settled(id, patience))).status, "published")
        assert.strictEqual(yield* publications(kind, caption), 1, what)
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
