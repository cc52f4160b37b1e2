import { Schema } from "effect"
import { field } from "../Field.ts"
import { MediaId } from "../Ids.ts"
import type { OptionConflict, PostOptions } from "../Platform.ts"
import { Text } from "../Text.ts"
import { embeddedMedia } from "./EmbeddedMedia.ts"
import { option, several, webAddress } from "./OptionFields.ts"

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits; `total` is for all embeds of a message. */
const embedLimits = {
  count: 10,
  title: 256,
  description: 4096,
  author: 256,
  footer: 2048,
  total: 6000
} as const

const words = (max: number) => Text.check(Schema.isMaxLength(max))
const part = (name: "title" | "description" | "author" | "footer", what: string) =>
  field(
    `${what}, in at most ${embedLimits[name]} UTF-16 units.`,
    Schema.optionalKey(words(embedLimits[name]))
  )

const DiscordEmbed = Schema.Struct({
  title: part("title", "The heading"),
  description: part("description", "The text, in Discord's Markdown"),
  url: field("The http or https URL that `title` links to.", Schema.optionalKey(webAddress)),
  color: field(
    "The color of the bar at the side, such as `#5865f2`. Default: Discord's.",
    Schema.optionalKey(
      Schema.String.check(
        Schema.isMaxLength(7),
        Schema.isPattern(/^#[\da-f]{6}$/i, { expected: "a color such as #5865f2" })
      )
    )
  ),
  image: field(
    "The http or https URL of a picture, or the id of a picture among the post's media: it is then shown here instead of below the text.",
    Schema.optionalKey(Schema.Union([MediaId, webAddress]))
  ),
  author: part("author", "The line above the title"),
  footer: part("footer", "The line at the end")
}).annotate({ identifier: "DiscordEmbed" })
export interface DiscordEmbed extends Schema.Schema.Type<typeof DiscordEmbed> {}

export const embeds = option(
  several(DiscordEmbed, embedLimits.count),
  "Embeds",
  `At most ${embedLimits.count} cards below the text, each with a title, text, link, color, picture, author or footer. All their texts together: at most ${embedLimits.total} UTF-16 units. Not with \`suppress_embeds\`. Default: none.`
)

const isEmbeds = Schema.is(Schema.Array(DiscordEmbed))

/** The embeds of a post as far as they are right; what is wrong with others, their schema says. */
export const embedsOf = ({ embeds: given }: PostOptions["options"]): ReadonlyArray<DiscordEmbed> =>
  isEmbeds(given) ? given : []

const textsOf = ({ title = "", description = "", author = "", footer = "" }: DiscordEmbed) =>
  [title, description, author, footer].map((text) => text.trim())

export const embedConflicts = ({ options, media }: PostOptions): ReadonlyArray<OptionConflict> => {
  const given = embedsOf(options)
  const conflict = (rule: string, sentence: string, more = {}): OptionConflict => ({
    option: "embeds",
    rule,
    sentence,
    ...more
  })
  const total = given.flatMap(textsOf).reduce((sum, { length }) => sum + length, 0)
  const pictures = given.flatMap((embed) => embeddedMedia(embed) ?? [])
  const isPicture = (id: string) => {
    const item = media.find((one) => one.id.toLowerCase() === id)
    return item !== undefined && (item.kind === null || item.kind === "image")
  }
  return [
    ...given.flatMap((embed, index) =>
      embed.image === undefined && textsOf(embed).every((text) => text === "")
        ? [
            conflict(
              "embed_blank",
              `shows nothing of the embed ${index + 1}; give it a title, description, image, author or footer.`
            )
          ]
        : []
    ),
    ...(total > embedLimits.total
      ? [
          conflict(
            "embeds_total",
            `allows at most ${embedLimits.total} UTF-16 units in all embeds together; these have ${total}. Shorten them.`,
            { limit: embedLimits.total, value: total }
          )
        ]
      : []),
    ...pictures
      .filter((id) => !isPicture(id))
      .map((id) =>
        conflict(
          "embed_image",
          `shows only the post's own pictures in an embed, and ${id} is none of them; add it to media, or give the URL of a picture.`
        )
      ),
    ...(given.length > 0 && options["suppress_embeds"] === true
      ? [
          conflict(
            "embeds_shown",
            "hides embeds together with link previews; leave out embeds or suppress_embeds."
          )
        ]
      : [])
  ]
}
