import {
  type Content,
  type KnownMedia,
  type PlacementRules,
  platformOptions,
  preflight,
  rulesFor
} from "@carillon/domain"
import { Accepted, type PublishMedia } from "@carillon/server/platforms/Platform"
import { typedAt, typedWebhook } from "@carillon/testing/ConnectedAccount"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, DateTime, Effect, Layer, type Schema, Stream } from "effect"
import { SeededRandom } from "../../../../test/contract/SeededRandom.ts"
import { type Adapter, adapters } from "./Adapters.ts"
import { mediaHost } from "./MediaHost.ts"
import { publisherOf, signedIn, somebody } from "./Publisher.ts"
import { document, image, video } from "./TestRequest.ts"

type Options = Readonly<Record<string, unknown>>

/** `given`: options of every post; undefined: of none. */
interface Kind extends Adapter {
  readonly typed?: (username: string, network: string) => Readonly<Record<string, string>>
  readonly ending?: string
  readonly given?: Options
}

const { discord, threads, twitter } = adapters
/**
 * Of every network, and of what its accounts may be besides. Only Discord knows that a webhook's channel is no forum, and
 * only Threads which accounts may name countries.
 */
const kinds: ReadonlyArray<readonly [string, Kind]> = Object.entries<Kind>({
  ...adapters,
  threads: { ...threads, ending: "-geo" },
  webhook: { ...discord, typed: typedWebhook, given: { thread_name: undefined } },
  "webhook in a forum": {
    ...discord,
    typed: typedWebhook,
    ending: "-forum",
    given: { thread_name: "Bells" }
  },
  "bot in a forum": {
    ...discord,
    ending: "-tagged-forum",
    given: { thread_name: "Bells", applied_tags: ["News"] }
  },
  subscriber: { ...twitter, ending: "-premium" }
}).map(([name, kind]) => [name, { typed: typedAt[kind.network as keyof typeof typedAt], ...kind }])

const seed = Number(process.env["HOSTILE_SEED"] ?? Date.now() % 1_000_000_000)
/** Networks bound the calls of an account. */
const postsOfEach = 4
const posts = Math.ceil(1000 / kinds.length / postsOfEach) * postsOfEach

/** The content of the post, and what has to be there on the network or in the library. */
const leftOut = [
  "caption",
  "media",
  "thread",
  "thread_fallback",
  "cover_image",
  "thumbnail",
  "thread_id",
  "quote_post_id",
  "category_id",
  "board_section_id"
]

/** What shows another text or none: a story has none, and a poll may take it as its question. */
const textOptions = ["description", "markup", "placement", "poll", "spoilers"]

const pieces = [
  "bells ",
  "Glocken & Türme",
  "鐘の音",
  "👩‍👩‍👧‍👦",
  "🇫🇷",
  "1️⃣",
  "cafe\u0301",
  "<b>",
  "https://example.com/a?b=c&d=(e)",
  " bell.museum/♥ ",
  "@somebody",
  " #bells",
  "＃鐘",
  "{hashtag|",
  "\\#",
  "**",
  "_",
  "`",
  "](https://a.b/c)",
  "\n> ",
  "\n```\n",
  "\u200d\u00a0",
  "x".repeat(140),
  "鐘".repeat(30)
]

type FileKind = "image" | "gif" | "video" | "document"

/** Mostly files that a kind of post takes, and as many. */
const randomFiles = (
  random: SeededRandom,
  { documents, gifs, images, mixed, text_only, videos }: PlacementRules
) => {
  const fits = Object.entries({ image: images, gif: gifs, video: videos, document: documents }).flatMap(
    ([kind, rules]) => (rules === undefined ? [] : [[kind as FileKind, rules.max_count] as const])
  )
  const wrong = random.chance(0.1)
  if (fits.length === 0 || (text_only && random.chance(0.4))) return wrong ? ["image" as const] : []
  const [kind, most] = random.pick(fits)
  const count = 1 + random.below(random.chance(0.5) ? 1 : Math.min(most, 10) + Number(wrong))
  return Array.from({ length: count }, () => (mixed || wrong ? random.pick(fits)[0] : kind))
}

const bytes = new TextEncoder().encode(`%PDF-1.7\n${"7".repeat(100_000)}\n%%EOF\n`)

const fileOf = (kind: FileKind, id: string, host: string): PublishMedia => {
  const of = (type: string) => ({
    size_bytes: bytes.length,
    width: 720,
    height: 720,
    public_url: Effect.succeed(`${host}/a.${type}`)
  })
  if (kind === "document") return document(id, bytes)
  if (kind === "video")
    return {
      ...video(id, Stream.succeed(bytes), bytes.length),
      ...of("mp4"),
      height: 1280,
      duration_ms: 10_000
    }
  const mime_type = kind === "gif" ? "image/gif" : "image/jpeg"
  const fitted = { bytes: new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), mime_type, width: 720, height: 720 }
  return image(id, { ...of("jpg"), mime_type, image: Effect.succeed(fitted) })
}

const known = (media: PublishMedia): KnownMedia => ({
  ...media,
  status: "ready",
  importing: false,
  error: null,
  frame_rate: media.kind === "video" ? 30 : null,
  video_codec: media.kind === "video" ? "avc" : null,
  audio_codec: null,
  frames: media.kind === "image" ? 1 : null,
  transfer: null
})

/** Of what the account offers under a name, some instead of what was made up. */
const offeredOr = (random: SeededRandom, offered: unknown, value: unknown) => {
  if (!Array.isArray(offered)) return value
  const ids = offered.map((one) => (typeof one === "object" ? String(one.id) : one))
  return Array.isArray(value) ? ids.filter(() => random.chance(0.5)).slice(0, value.length) : random.pick(ids)
}

/** From the first call to the last, until it is live, which `before` posts are already. */
const publish = Effect.fnUntraced(function* (
  { commit, poll, prepare, publications, reconcile }: Effect.Success<ReturnType<typeof publisherOf>>,
  before: number
) {
  let prepared = yield* prepare()
  while (prepared._tag === "wait") prepared = yield* poll(prepared.handle)
  const done = yield* commit(prepared.handle)
  let handle = done instanceof Accepted ? done.handle : undefined
  while (handle !== undefined) {
    // A network bounds how often it is asked: it is when the post is there, or does not come.
    yield* Effect.repeat(publications, { until: ({ length }) => length > before, times: 500 })
    const found = yield* reconcile(handle)
    if (found._tag === "refused") return yield* found.failure
    handle = found._tag === "working" ? found.handle : undefined
  }
})

layer(Layer.merge(SharedSandbox, NodeHttpClient.layerUndici), { excludeTestServices: true })(
  `what pre-flight accepts of ${posts} random posts (HOSTILE_SEED=${seed})`,
  (it) => {
    it.effect.each(kinds)("is taken: %s", ([, kind]) =>
      Effect.gen(function* () {
        const { given = {}, network } = kind
        const random = new SeededRandom(seed)
        const { url: host } = yield* mediaHost
        const schema = platformOptions[network] as Schema.Codec<Options>
        const samples = yield* Arbitrary.sampleEffect(Arbitrary.schema(schema), { count: posts, seed })
        let accepted = 0
        for (let begun = 0; begun < posts; begun += postsOfEach) {
          const person = yield* somebody(kind)
          const account = yield* signedIn(person)
          const { choices, destinations } = person.platform
          const offered: Options =
            choices === undefined ? {} : yield* choices(account.credentials, account.remote_id)
          const [board] = destinations === undefined ? [] : yield* destinations(account.credentials)
          const limits = account.limits ?? null
          /** What the network shows of each; null: that depends on an option. */
          const shown: Array<string | null> = []
          for (const [index, sample] of samples.slice(begun, begun + postsOfEach).entries()) {
            const number = begun + index
            const placement = random.pick(rulesFor({ platform: network, limits }).placements)
            const media = randomFiles(random, placement).map((one, at) =>
              fileOf(one, `00000000-0000-7000-8000-${String(number * 100 + at).padStart(12, "0")}`, host)
            )
            const words = Array.from({ length: random.below(random.pick([1, 5, 30])) }, () =>
              random.pick(pieces)
            )
            const caption = random.chance(1 / 6)
              ? random.pick(["", " ", "\n\u00a0"])
              : `No. ${number} ${words.join("")}`
            const share = random.pick([0, 0.2, 0.4])
            const chosen = Object.entries(sample)
              .filter(([name, value]) => value !== null && !leftOut.includes(name) && random.chance(share))
              .map(([name, value]) => [name, offeredOr(random, offered[name], value)] as const)
            const entries = Object.entries({ ...Object.fromEntries(chosen), ...given })
            const options: Options = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
            const problems = preflight({
              content: {
                caption,
                media: media.map(({ id }) => id),
                platform_configurations: { [network]: options } as Content["platform_configurations"],
                account_configurations: null
              },
              processing_enabled: false,
              video_transcoding: false,
              social_accounts: [7],
              accounts: [{ id: 7, platform: network, username: "bells", status: "connected", limits }],
              media: media.map(known),
              public_url: { url: "https://carillon.test", closed_to: [] }
            })
            if (problems.length > 0) continue
            const described = options["alt_text"] ?? null
            const post = {
              target_id: `target-${number}`,
              caption,
              due_at: yield* DateTime.now,
              board_id: board?.id ?? null,
              options,
              media: media.map((one, at) => ({
                ...one,
                alt_text: (Array.isArray(described) ? described[at] : described) ?? null
              }))
            }
            yield* publish(yield* publisherOf(person, account, post), shown.length).pipe(
              Effect.catch(({ message }) =>
                Effect.die(new Error(`${message}\n${JSON.stringify([caption, options])}`))
              )
            )
            shown.push(chosen.some(([name]) => textOptions.includes(name)) ? null : caption.trim())
          }
          accepted += shown.length
          const publications = yield* person.network.publications(person.username)
          assert.deepStrictEqual(
            publications.map(({ text }, index) => (shown[index] === null ? null : text.trim())),
            shown
          )
        }
        assert.isAbove(accepted, posts / 5)
      })
    )
  }
)
