import {
  type Content,
  type KnownMedia,
  linkedinPost,
  platformOptions,
  preflight,
  type ProblemItem
} from "@carillon/domain"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
import { adapters } from "./Adapters.ts"
import { publisherOf, signedIn, somebody } from "./Publisher.ts"
import { document, image, live, video } from "./TestRequest.ts"

const Words = Schema.Array(
  Schema.Union([
    Schema.String,
    Schema.Literals([
      ..."\\|{}@[]()<>#*_~",
      "#bells",
      "＃鐘",
      "@[Acme (US)](urn:li:organization:12)",
      "https://a.example/b_(c)#d_e",
      "{hashtag|",
      "\\#",
      "🔔",
      " ",
      "\n",
      "x".repeat(700),
      "🔔".repeat(900)
    ])
  ])
)
const Short = Schema.Array(Schema.Literals(["Great ", "bell", "🔔", "(", "_", "x".repeat(20)])).check(
  Schema.isBetweenLength(1, 6)
)

/** Most of the values are good, so that most of the posts are. */
const often = <const A extends string>(good: ReadonlyArray<A>, bad: ReadonlyArray<A>) =>
  Schema.Literals([...good, ...good, ...good, ...good, ...bad])

const Sketch = Schema.Struct({
  isPage: Schema.Boolean,
  words: Words,
  shows: Schema.Literals(["text", "image", "images", "many", "video", "paper", "poll", "repost"]),
  besides: often(["nothing"], ["poll", "repost"]),
  alt: often(["", "A bell (1)", "🔔".repeat(4086)], ["x".repeat(4087)]),
  title: often(["", "Bells", "🔔".repeat(400)], ["x".repeat(401)]),
  visibility: often(["", "PUBLIC"], ["CONNECTIONS"]),
  disable_reshare: Schema.Boolean,
  original: Schema.Literals([
    "urn:li:share:7141138937766391808",
    "https://www.linkedin.com/posts/alice_bells-activity-7141138937766391808-AbCd"
  ]),
  question: Schema.NullOr(Short),
  choices: Schema.Array(Short).check(Schema.isBetweenLength(2, 5)),
  duration_days: Schema.Literals([1, 3, 7, 14])
})

const counts = { text: 0, poll: 0, repost: 0, image: 1, images: 3, many: 21, video: 1, paper: 1 }
const text = (parts: ReadonlyArray<string>) => parts.join("").toWellFormed()

const known = (id: string, kind: KnownMedia["kind"]): KnownMedia => ({
  id,
  name: id,
  status: "ready",
  importing: false,
  error: null,
  kind,
  mime_type: kind === "video" ? "video/mp4" : kind === "document" ? "application/pdf" : "image/jpeg",
  size_bytes: 80_000,
  width: kind === "document" ? null : 720,
  height: kind === "document" ? null : 720,
  duration_ms: kind === "video" ? 4000 : null,
  frame_rate: kind === "video" ? 30 : null,
  video_codec: kind === "video" ? "avc" : null,
  audio_codec: kind === "video" ? "aac" : null,
  frames: kind === "image" ? 1 : null,
  transfer: null
})

const jpeg = {
  bytes: new Uint8Array([0xff, 0xd8, 0xff, 0xe0]),
  mime_type: "image/jpeg",
  width: 720,
  height: 720
} as const

const connected = Effect.forEach([adapters.linkedin, adapters.linkedin_pages], (adapter) =>
  Effect.gen(function* () {
    const person = yield* somebody(adapter)
    return { person, account: yield* signedIn(person) }
  })
)

/** A person and a page, which are others before their posts are too many to read at once. */
let authors: Effect.Success<typeof connected>
const postsOfEach = 40

let posts = 0
let accepted = 0
const runs = 1000

layer(Layer.merge(SharedSandbox, NodeHttpClient.layerUndici), { excludeTestServices: true })(
  "a post that passes pre-flight",
  (it) => {
    it.effect.prop(
      "is taken by LinkedIn, which shows all of its text",
      [Sketch],
      ([sketch]) =>
        Effect.gen(function* () {
          const number = posts++
          if (number % postsOfEach === 0) authors = yield* connected
          const { person, account } = authors[sketch.isPage ? 1 : 0]!
          // LinkedIn takes no words twice.
          const caption = `${number} ${text(sketch.words)}`
          const { alt, besides, disable_reshare, shows, title, visibility } = sketch
          const kind = shows === "video" ? "video" : shows === "paper" ? "document" : "image"
          const media = Array.from({ length: counts[shows] }, (_, index) =>
            known(`00000000-0000-7000-8000-${String(number * 100 + index).padStart(12, "0")}`, kind)
          )
          const [hasPoll, reposts] = ["poll", "repost"].map((one) => shows === one || besides === one)
          const question = sketch.question === null ? {} : { question: text(sketch.question) }
          const options: object = {
            link_card: "off",
            disable_reshare,
            ...(visibility === "" ? {} : { visibility }),
            ...(reposts ? { reshare: sketch.original } : {}),
            ...(kind === "document" && title !== "" ? { document_title: title } : {}),
            ...(alt === "" || media.length === 0 ? {} : { alt_text: alt }),
            ...(hasPoll
              ? {
                  poll: {
                    ...question,
                    options: sketch.choices.map(text),
                    duration_days: sketch.duration_days
                  }
                }
              : {})
          }
          const problems: ReadonlyArray<ProblemItem> = preflight({
            content: {
              caption,
              media: media.map(({ id }) => id),
              platform_configurations: { linkedin: options } as Content["platform_configurations"],
              account_configurations: null
            },
            processing_enabled: false,
            video_transcoding: false,
            social_accounts: [7],
            accounts: [
              {
                id: 7,
                platform: "linkedin",
                username: "demo",
                status: "connected",
                limits: account.limits ?? null
              }
            ],
            media,
            public_url: { url: "http://localhost:4400", closed_to: [] }
          })
          if (problems.length > 0) return
          const { alt_text: _, ...rest } = Schema.decodeSync(platformOptions.linkedin)(options as never)
          const described = { alt_text: alt === "" ? null : alt }
          const one = yield* publisherOf(person, account, {
            target_id: `target-${number}`,
            caption,
            options: rest as never,
            media: media.map(({ id }) =>
              kind === "video"
                ? { ...video(id, Stream.succeed(new Uint8Array(80_000)), 80_000), ...described }
                : kind === "document"
                  ? { ...document(id, new TextEncoder().encode("%PDF-1.7\n")), ...described }
                  : image(id, { image: Effect.succeed(jpeg), ...described })
            )
          })
          let prepared = yield* one.prepare()
          while (prepared._tag === "wait") {
            yield* Effect.sleep("2 millis")
            prepared = yield* one.poll(prepared.handle)
          }
          const { id } = live(yield* one.commit(prepared.handle))
          accepted += 1
          const published = (yield* one.publications).find((each) => id?.endsWith(each.id) === true)!
          const shown = caption.replaceAll(/@\[([^[\]\n]{1,200})\]\(urn:li:organization:\d+\)/g, "$1")
          assert.strictEqual(published.text, hasPoll && sketch.question === null ? "" : shown)
          assert.lengthOf(published.media, media.length)
          assert.deepInclude(published.details, {
            visibility: visibility === "" ? "PUBLIC" : visibility,
            isReshareDisabledByAuthor: disable_reshare
          })
          if (reposts)
            assert.deepInclude(published.details, {
              reshareContext: { parent: linkedinPost(sketch.original)! }
            })
        }),
      { arbitrary: { runs }, timeout: 300_000 }
    )

    it("was asked for often enough", () => {
      assert.isAtLeast(posts, runs)
      assert.isAtLeast(accepted, runs / 5)
    })
  }
)
