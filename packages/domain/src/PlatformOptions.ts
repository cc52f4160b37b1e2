import { Record, Result, Schema, SchemaGetter } from "effect"
import type { PlatformId } from "./Platform.ts"
import { BlueskyOptions } from "./platforms/Bluesky.ts"
import { FacebookOptions } from "./platforms/Facebook.ts"
import { GoogleBusinessOptions } from "./platforms/GoogleBusiness.ts"
import { InstagramOptions } from "./platforms/Instagram.ts"
import { LinkedInOptions } from "./platforms/LinkedIn.ts"
import { MastodonOptions } from "./platforms/Mastodon.ts"
import { PinterestOptions } from "./platforms/Pinterest.ts"
import { SandboxOptions } from "./platforms/Sandbox.ts"
import { ThreadsOptions } from "./platforms/Threads.ts"
import { TikTokOptions } from "./platforms/TikTok.ts"
import { TwitterOptions } from "./platforms/Twitter.ts"
import { YouTubeOptions } from "./platforms/YouTube.ts"
import { shapeOf } from "./Shape.ts"

/** The options of each platform. Unknown options are refused by name. */
export const platformOptions = {
  tiktok: TikTokOptions,
  instagram: InstagramOptions,
  youtube: YouTubeOptions,
  pinterest: PinterestOptions,
  twitter: TwitterOptions,
  linkedin: LinkedInOptions,
  facebook: FacebookOptions,
  threads: ThreadsOptions,
  bluesky: BlueskyOptions,
  mastodon: MastodonOptions,
  google_business: GoogleBusinessOptions,
  sandbox: SandboxOptions
} as const satisfies Record<PlatformId, Schema.Top>

/** The JSON Schema of each platform's entry in `platform_configurations`, complete in itself. */
export const optionSchemas: Readonly<Record<PlatformId, { readonly [key: string]: Schema.Json }>> =
  Record.map(platformOptions as Readonly<Record<PlatformId, Schema.Top>>, (schema) => {
    const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
    const name = String(document.schema["$ref"]).split("/").at(-1)!
    const { [name]: root, ...others } = document.definitions
    return { ...root, $defs: others } as { readonly [key: string]: Schema.Json }
  })

/** Options whose value is the id of a media item. */
export const mediaOptions = ["cover_image", "thumbnail"] as const

/**
 * An option as it is given: any value of its form. One that the platform does not take is left as it is for the checks of
 * the post, so that it hides no other problem and a draft can keep it. The type is that of a value that fits.
 */
const given = <S extends Schema.Top>({ schema: option }: Schema.optionalKey<S>) => {
  const decode = Schema.decodeUnknownResult(option as Schema.Top as Schema.Codec<unknown>)
  const shape = shapeOf(option.ast).pipe(
    Schema.decodeTo(Schema.Unknown, {
      decode: SchemaGetter.transform((value) => Result.getOrElse(decode(value), () => value)),
      encode: SchemaGetter.passthrough({ strict: false })
    })
  )
  return Schema.optionalKey(shape as Schema.Top as Schema.Codec<S["Type"], S["Encoded"]>)
}

type Options = Readonly<Record<string, Schema.optionalKey<Schema.Top>>>
type Given<Fields extends Options> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Schema.optionalKey<infer S>
    ? Schema.optionalKey<Schema.Codec<S["Type"], S["Encoded"]>>
    : never
}

/** The caption and the media of an entry are no options: they have to be right. */
const givenOptions = <Fields extends Options>(fields: Fields) =>
  Record.map(fields as Options, (field, name) =>
    name === "caption" || name === "media" ? field : given(field)
  ) as unknown as Given<Fields>

const entry = <Fields extends Options>(options: Schema.Struct<Fields>) =>
  Schema.optionalKey(Schema.NullOr(Schema.Struct(givenOptions(options.fields))))

/** Options by platform. An entry for a platform without an account in the post is checked and not used. */
export const PlatformConfigurations = Schema.Struct({
  tiktok: entry(TikTokOptions),
  instagram: entry(InstagramOptions),
  youtube: entry(YouTubeOptions),
  pinterest: entry(PinterestOptions),
  twitter: entry(TwitterOptions),
  linkedin: entry(LinkedInOptions),
  facebook: entry(FacebookOptions),
  threads: entry(ThreadsOptions),
  bluesky: entry(BlueskyOptions),
  mastodon: entry(MastodonOptions),
  google_business: entry(GoogleBusinessOptions),
  sandbox: entry(SandboxOptions)
}).annotate({ identifier: "GivenPlatformConfigurations" })
export interface PlatformConfigurations extends Schema.Schema.Type<typeof PlatformConfigurations> {}

/** An option that several platforms have, each with its own values: pre-flight asks the account's platform. */
const either = <const Options extends ReadonlyArray<Schema.optionalKey<Schema.Top>>>(...options: Options) =>
  Schema.optionalKey(
    Schema.Union(
      options.map(({ schema }) => schema) as {
        [K in keyof Options]: Options[K] extends Schema.optionalKey<infer S> ? S : never
      }
    )
  )

const tiktok = TikTokOptions.fields
const instagram = InstagramOptions.fields
const youtube = YouTubeOptions.fields
const pinterest = PinterestOptions.fields
const linkedin = LinkedInOptions.fields
const facebook = FacebookOptions.fields
const mastodon = MastodonOptions.fields

const accountOptions = {
  ...tiktok,
  ...instagram,
  ...youtube,
  ...pinterest,
  ...TwitterOptions.fields,
  ...linkedin,
  ...facebook,
  ...ThreadsOptions.fields,
  ...BlueskyOptions.fields,
  ...mastodon,
  ...GoogleBusinessOptions.fields,
  ...SandboxOptions.fields,
  title: either(tiktok.title, youtube.title, pinterest.title),
  link: either(pinterest.link, facebook.link),
  privacy_status: either(tiktok.privacy_status, youtube.privacy_status),
  visibility: either(linkedin.visibility, mastodon.visibility),
  alt_text: linkedin.alt_text
}

/**
 * The content of one account instead of the platform's or the shared one: `caption`, `media`, and any option of the
 * account's platform.
 */
export const AccountConfiguration = Schema.Struct({
  account_id: Schema.Int,
  ...givenOptions(accountOptions)
}).annotate({ identifier: "GivenAccountConfiguration" })
export interface AccountConfiguration extends Schema.Schema.Type<typeof AccountConfiguration> {}

/** One entry for each account that a post may have. */
export const AccountConfigurations = Schema.Array(AccountConfiguration).check(Schema.isMaxLength(200))

/**
 * The schemas that requests are documented by, under the names of those of answers without `Given`: with the values that
 * platforms take, where an answer may have others (docs/decisions/0048-incomplete-drafts.md).
 */
export const documentedRequests = [
  Schema.Struct(
    Record.map(platformOptions, (options) => Schema.optionalKey(Schema.NullOr(options as Schema.Top)))
  ).annotate({ identifier: "PlatformConfigurations" }),
  Schema.Struct({ account_id: Schema.Int, ...accountOptions }).annotate({
    identifier: "AccountConfiguration"
  })
]
