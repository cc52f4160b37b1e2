import { Schema } from "effect"
import { Text } from "./Text.ts"

const caption = Schema.NullOr(Text.check(Schema.isMaxLength(20_000)))
const media = Schema.NullOr(Schema.Array(Schema.String).check(Schema.isMaxLength(100)))

/** Every platform entry can override the shared caption and media. */
const overrides = {
  caption: Schema.optionalKey(caption),
  media: Schema.optionalKey(media)
}

const text = (max: number) => Schema.optionalKey(Text.check(Schema.isMaxLength(max)))

/** One text for every medium, or one per medium in order. */
const altText = Schema.optionalKey(
  Schema.Union([
    Text.check(Schema.isMaxLength(2000)),
    Schema.Array(Text.check(Schema.isMaxLength(2000))).check(Schema.isMaxLength(20))
  ])
)

const language = Schema.String.check(Schema.isPattern(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/u))

/** The options that Carillon knows of each platform (contract.md section 6). Unknown ones are refused by name. */
export const platformOptions = {
  bluesky: Schema.Struct({
    ...overrides,
    langs: Schema.optionalKey(Schema.Array(language).check(Schema.isMaxLength(3))),
    alt_text: altText
  }),
  sandbox: Schema.Struct({ ...overrides, title: text(100), alt_text: altText })
}

export const PlatformConfigurations = Schema.Struct({
  bluesky: Schema.optionalKey(platformOptions.bluesky),
  sandbox: Schema.optionalKey(platformOptions.sandbox)
}).annotate({ identifier: "PlatformConfigurations" })
export interface PlatformConfigurations extends Schema.Schema.Type<typeof PlatformConfigurations> {}

/** What one account gets instead of the shared or the platform's value. */
export const AccountConfiguration = Schema.Struct({
  account_id: Schema.Int,
  ...overrides
}).annotate({ identifier: "AccountConfiguration" })
export interface AccountConfiguration extends Schema.Schema.Type<typeof AccountConfiguration> {}
