import { Schema } from "effect"

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const largestEmbeds = 6000

const text = (max: number) => Schema.String.check(Schema.isMaxLength(max))
const orNull = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
/** A URL with one of these schemes. */
const address = (...schemes: ReadonlyArray<string>) =>
  text(2048).check(
    Schema.makeFilter((url: string) =>
      schemes.some((scheme) => url.toLowerCase().startsWith(`${scheme}://`)) && URL.canParse(url)
        ? undefined
        : `Scheme must be one of (${schemes.join(", ")})`
    )
  )
const link = orNull(address("http", "https"))
const picture = orNull(address("http", "https", "attachment"))
const Picture = Schema.Struct({ url: picture, description: orNull(text(4096)) })

const Embed = Schema.Struct({
  type: orNull(Schema.Literal("rich")),
  title: orNull(text(256)),
  description: orNull(text(4096)),
  url: link,
  timestamp: orNull(Schema.String),
  color: orNull(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffffff }))),
  footer: orNull(Schema.Struct({ text: orNull(text(2048)), icon_url: picture })),
  image: orNull(Picture),
  thumbnail: orNull(Picture),
  author: orNull(Schema.Struct({ name: orNull(text(256)), url: link, icon_url: picture })),
  fields: orNull(
    Schema.Array(
      Schema.Struct({
        name: text(256).check(Schema.isNonEmpty()),
        value: text(1024).check(Schema.isNonEmpty()),
        inline: orNull(Schema.Boolean)
      })
    ).check(Schema.isMaxLength(25))
  )
}).check(
  Schema.makeFilter((embed) =>
    textsOf(embed).length > 0 || embed.image?.url != null || embed.thumbnail?.url != null
      ? undefined
      : "This field is required"
  )
)

interface Texts {
  readonly title?: string | null
  readonly description?: string | null
  readonly author?: { readonly name?: string | null } | null
  readonly footer?: { readonly text?: string | null } | null
  readonly fields?: ReadonlyArray<{ readonly name: string; readonly value: string }> | null
}

const textsOf = ({ author, description, fields, footer, title }: Texts) =>
  [
    title,
    description,
    author?.name,
    footer?.text,
    ...(fields ?? []).flatMap(({ name, value }) => [name, value])
  ]
    .map((one) => (one ?? "").trim())
    .filter((one) => one !== "")

/** Those of a message. Their texts count together, without the spaces around them. */
export const Embeds = orNull(
  Schema.Array(Embed).check(
    Schema.isMaxLength(10),
    Schema.makeFilter((embeds) => {
      const size = embeds.flatMap(textsOf).reduce((sum, { length }) => sum + length, 0)
      return size > largestEmbeds ? `Embed size exceeds maximum size of ${largestEmbeds}` : undefined
    })
  )
)
export type Embeds = typeof Embeds.Type

/** The names of the attachments that these embeds show. */
export const shownAttachments = (embeds: Embeds): ReadonlyArray<string> =>
  (embeds ?? []).flatMap(({ author, footer, image, thumbnail }) =>
    [image?.url, thumbnail?.url, author?.icon_url, footer?.icon_url].flatMap((url) =>
      url?.startsWith(attachment) === true ? [url.slice(attachment.length)] : []
    )
  )

const attachment = "attachment://"
