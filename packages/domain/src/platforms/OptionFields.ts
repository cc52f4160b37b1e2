import { Schema, SchemaGetter } from "effect"
import { MediaId } from "../Ids.ts"
import { Text } from "../Text.ts"
import { mostThreadItems, Thread, ThreadFallback } from "../Thread.ts"

/**
 * An option that may be left out; null means the same. The title is what people call it. A form shows them the
 * description without what the title says, and without sentences that have `code` in them.
 */
export const option = <S extends Schema.Top>(schema: S, title: string, description: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ title, description }))

/** A flag with what it is where it is left out; null: the account or the platform decides. */
export const flagThatIs = (rest: true | null, title: string, description: string) =>
  Schema.optionalKey(Schema.NullOr(Schema.Boolean).annotate({ title, description, default: rest }))

/** One of several values, each with what people call it. */
export const named = <const Values extends Readonly<Record<string, string>>>(values: Values) =>
  Schema.Union(
    Object.entries(values).map(([value, title]) => Schema.Literal(value).annotate({ title }))
  ) as unknown as Schema.Literals<ReadonlyArray<keyof Values & string>>

/** Text of at most so many code points, which JSON Schema's `maxLength` counts too. */
export const text = (max: number) =>
  Text.check(
    Schema.makeFilter(
      (value: string) => {
        const length = [...value].length
        return length <= max || `has ${length} characters; the limit is ${max}`
      },
      { expected: `a text of at most ${max} characters`, toJsonSchema: () => ({ maxLength: max }) }
    )
  )

/** The same of a text that people see, so that spaces alone are none. */
export const filledText = (max: number) =>
  text(max).check(Schema.isPattern(/\S/u, { expected: "a text that is not blank" }))

export const flag = Schema.Boolean
export const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))
export const several = <S extends Schema.Top>(item: S, max: number) =>
  Schema.Array(item).check(Schema.isMaxLength(max))

/** Overrides that every platform's and every account's entry can hold. */
export const overrides = {
  caption: option(
    Text.check(Schema.isMaxLength(100_000)),
    "Caption",
    "Replaces the post's `caption`; an account's entry wins over its network's. Empty: no text. null or absent: not replaced."
  ),
  media: option(
    several(Schema.String.check(Schema.isMaxLength(100)), 100),
    "Media",
    "Ids of media items that replace the post's `media`, in the order in which they appear; an account's entry wins over its network's. Empty: none. null or absent: not replaced."
  ),
  thread: option(
    Thread,
    "Follow-up posts",
    `At most ${mostThreadItems - 1} posts that replace the post's \`thread\`: texts, or objects with \`caption\` and \`media\`; an account's entry wins over its network's. Empty: none. null or absent: not replaced.`
  ),
  thread_fallback: option(
    ThreadFallback,
    "Thread fallback",
    "On networks without threads, `join` makes the whole thread one post; without it, the thread is refused. An account's entry wins over its network's. null or absent: as in the post's `thread_fallback`."
  )
}

export const altText = (max: number, said = `${max} characters`) =>
  option(
    Schema.Union([text(max), several(text(max), 100)]),
    "Alt text",
    `Describes the post's own media for people who cannot see them, in at most ${said}: one text for all, or a list in their order. Default, and for items that a list leaves out: their own \`alt_text\`.`
  )

export const coverTimestamp = option(
  count,
  "Cover frame",
  "The frame shown before the video plays, in milliseconds from its start. Default: the first."
)
export const coverImage = option(
  MediaId,
  "Cover image",
  "A library image, by its id, to show before the video plays. It replaces the frame at `video_cover_timestamp_ms`, which is the default."
)
export const firstComment = option(
  text(10_000),
  "First comment",
  "A comment to post right after the post; if it is refused, the post stays live. `platform_data.warnings` then says so. Default: `null`, none."
)
export const webAddress = Text.check(
  Schema.isMaxLength(2048),
  Schema.makeFilter(
    (value: string) => (/^https?:\/\//i.test(value) && URL.canParse(value)) || "is not an http or https URL",
    { expected: "an http or https URL", toJsonSchema: () => ({ format: "uri", maxLength: 2048 }) }
  )
)

/** How the first page that a text links to is shown. */
export const linkCards = {
  link_card: option(
    named({ auto: "Show", off: "Hide" }),
    "Link card",
    "Whether a post without media shows a card for the first link in its caption. Default: shown."
  ),
  link: option(
    webAddress,
    "Link card URL",
    "The URL of the page to show as the link card. Default: the first link in the caption. Not with media or `link_card: off`."
  )
}
export const language = Schema.String.check(
  Schema.isPattern(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/u, {
    expected: "a language code, such as en or pt-BR"
  }),
  Schema.isMaxLength(100)
)

const placements = {
  feed: "feed",
  timeline: "feed",
  reel: "reel",
  reels: "reel",
  story: "story",
  stories: "story"
} as const

const placementNames = { feed: "Feed", reel: "Reel", story: "Story" } as const

/** The plural and `timeline` are what some clients send; they have no title of their own. */
export const placement = (where: string) =>
  option(
    Schema.Union(
      (Object.keys(placements) as Array<keyof typeof placements>).map((name) =>
        Schema.Literal(name).annotate(
          name in placementNames
            ? { title: placementNames[placements[name]] }
            : { description: `The same as ${placements[name]}.` }
        )
      )
    ).pipe(
      Schema.decodeTo(Schema.Literals(["feed", "reel", "story"]), {
        decode: SchemaGetter.transform((name) => placements[name]),
        encode: SchemaGetter.passthrough()
      })
    ),
    "Placement",
    `${where} Default: \`feed\`. Synonyms: \`timeline\`, \`reels\` and \`stories\`.`
  )
