import { Record, Result, Schema, SchemaAST, SchemaGetter } from "effect"
import type { PlatformId } from "./Platform.ts"
import { platformName } from "./PlatformFacts.ts"
import { type platformDefinitions, platformOptions, platformRules } from "./platforms/PlatformDefinitions.ts"
import { altText, overrides } from "./platforms/OptionFields.ts"
import { shapeOf } from "./Shape.ts"
import { field, sentenceOf, withSentences } from "./Field.ts"

/** The JSON Schema of each platform's entry in `platform_configurations`, complete in itself. */
export const optionSchemas: Readonly<Record<PlatformId, { readonly [key: string]: Schema.Json }>> =
  Record.map(platformOptions as Readonly<Record<PlatformId, Schema.Top>>, (schema) => {
    const document = withSentences(Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }))
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
const given = <S extends Schema.Top>(whole: Schema.optionalKey<S>) => {
  const option = whole.schema
  // Of several networks' forms the one that has every field: another would drop what only this one knows.
  const decode = Schema.decodeUnknownResult(option as Schema.Top as Schema.Codec<unknown>, {
    onExcessProperty: "error"
  })
  const shape = shapeOf(option.ast).pipe(
    Schema.decodeTo(Schema.Unknown, {
      decode: SchemaGetter.transform((value) => Result.getOrElse(decode(value), () => value)),
      encode: SchemaGetter.passthrough({ strict: false })
    })
  )
  return field(
    sentenceOf(whole.ast)!,
    Schema.optionalKey(shape as Schema.Top as Schema.Codec<S["Type"], S["Encoded"]>)
  )
}

type Options = Readonly<Record<string, Schema.optionalKey<Schema.Top>>>
type Given<Fields extends Options> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Schema.optionalKey<infer S>
    ? Schema.optionalKey<Schema.Codec<S["Type"], S["Encoded"]>>
    : never
}

/** The content of an entry is no option: it has to be right. */
const givenOptions = <Fields extends Options>(fields: Fields) =>
  Record.map(fields as Options, (field, name) =>
    name in overrides ? field : given(field)
  ) as unknown as Given<Fields>

const forPlatform = <S extends Schema.Top>(options: S, platform: string) =>
  field(
    `Options for all ${platformName(platform as PlatformId)} accounts; an account's own entry wins, option by option. null or absent, also for an option: not given.`,
    Schema.optionalKey(Schema.NullOr(options))
  )

const entry = <Fields extends Options>(options: Schema.Struct<Fields>, platform: string) =>
  forPlatform(Schema.Struct(givenOptions(options.fields)), platform)

type FieldsOf = { readonly [P in PlatformId]: (typeof platformDefinitions)[P]["options"]["fields"] }

/** Options by platform. An entry for a platform without an account in the post is checked and not used. */
export const PlatformConfigurations = Schema.Struct(
  Record.map(platformOptions as Readonly<Record<PlatformId, Schema.Struct<Options>>>, entry) as unknown as {
    readonly [P in PlatformId]: ReturnType<typeof entry<FieldsOf[P]>>
  }
).annotate({ identifier: "GivenPlatformConfigurations" })
export interface PlatformConfigurations extends Schema.Schema.Type<typeof PlatformConfigurations> {}

type OptionName = { [P in PlatformId]: keyof FieldsOf[P] }[PlatformId]
type OptionCalled<Name> = {
  [P in PlatformId]: Name extends keyof FieldsOf[P]
    ? FieldsOf[P][Name] extends Schema.optionalKey<infer S>
      ? S
      : never
    : never
}[PlatformId]

/** The same rules in other words are one. */
const rulesIn = ({ schema }: Schema.optionalKey<Schema.Top>) =>
  JSON.stringify(Schema.toJsonSchemaDocument(schema), (key, value) =>
    key === "title" || key === "description" ? undefined : value
  )

type OptionOf = readonly [platform: PlatformId, option: Schema.optionalKey<Schema.Top>]

/** An option that several platforms have, each with its own values: pre-flight asks the account's platform. */
const either = (options: ReadonlyArray<OptionOf>) => {
  const given = [...new Set(options.map(([, option]) => option))]
  const rules = given.length === 1 ? [""] : given.map(rulesIn)
  const distinct = given.filter((_, index) => rules.indexOf(rules[index]!) === index)
  const said = Object.entries(Object.groupBy(options, ([, { ast }]) => sentenceOf(ast)!))
  const sentence =
    said.length === 1
      ? said[0]![0]
      : said
          .map(([own, of = []]) => `${of.map(([platform]) => platformName(platform)).join(", ")}: ${own}`)
          .join(" ")
  return field(
    sentence,
    distinct.length === 1
      ? distinct[0]!
      : Schema.optionalKey(
          Schema.Union(distinct.map(({ schema }) => schema.annotate({ description: undefined })))
        )
  )
}

const longestAltText = Math.max(...Object.values(platformRules).map(({ alt_text = 0 }) => alt_text))

const accountOptions = {
  ...Record.map(
    Object.groupBy(
      Object.entries(platformOptions).flatMap(([platform, { fields }]) =>
        Object.entries<Schema.optionalKey<Schema.Top>>(fields).map(
          ([name, option]) => [name, platform as PlatformId, option] as const
        )
      ),
      ([name]) => name
    ) as Record<string, ReadonlyArray<readonly [string, ...OptionOf]>>,
    (named) => either(named.map(([, ...option]) => option))
  ),
  // They differ in their length alone.
  alt_text: altText(longestAltText)
} as unknown as {
  readonly [Name in OptionName]: Schema.optionalKey<
    Schema.Codec<OptionCalled<Name>["Type"], OptionCalled<Name>["Encoded"]>
  >
}

const forAccount = field(
  "The id of the account that this entry is for: one of the post's `social_accounts`, each at most once.",
  Schema.Int
)

/**
 * The content of one account instead of the platform's or the shared one: `caption`, `media`, and any option of the
 * account's platform.
 */
export const AccountConfiguration = Schema.Struct({
  account_id: forAccount,
  ...givenOptions(accountOptions)
}).annotate({ identifier: "GivenAccountConfiguration" })
export interface AccountConfiguration extends Schema.Schema.Type<typeof AccountConfiguration> {}

/** One entry for each account that a post may have. */
export const AccountConfigurations = Schema.Array(AccountConfiguration).check(Schema.isMaxLength(200))

/**
 * The schemas that requests are documented by, under the names of those of answers without `Given`: with the values that
 * platforms take, where an answer may have others (docs/decisions/0003-problems.md).
 */
export const documentedRequests = [
  Schema.Struct(
    Record.map(platformOptions, (options, platform) => forPlatform(options as Schema.Top, platform))
  ).annotate({ identifier: "PlatformConfigurations" }),
  Schema.Struct({
    account_id: forAccount,
    ...accountOptions
  }).annotate({
    identifier: "AccountConfiguration"
  })
]

const anyOptions = Schema.Record(Schema.String, Schema.Json).check(Schema.isMaxProperties(100))

/** The same in answers, where a draft keeps any value: what was given, and where it says what it means. */
export const documentedAnswers = [
  Schema.Struct(
    Record.map(platformOptions as Readonly<Record<PlatformId, Schema.Top>>, (options, platform) =>
      field(
        `What was given for all ${platformName(platform)} accounts, as \`${SchemaAST.resolveIdentifier(options.ast)}\`; an account's own entry wins. null or absent: none.`,
        Schema.optionalKey(Schema.NullOr(anyOptions))
      )
    )
  ).annotate({ identifier: "GivenPlatformConfigurations" }),
  Schema.StructWithRest(
    Schema.Struct({
      account_id: forAccount
    }),
    [Schema.Record(Schema.String, Schema.Json)]
  )
    .check(Schema.isMaxProperties(100))
    .annotate({
      identifier: "GivenAccountConfiguration",
      description: "What was given for one account; `AccountConfiguration` says what it means."
    })
]
