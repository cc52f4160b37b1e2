import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"
import { field } from "./Field.ts"

export const defaultLimit = 50
export const maximumLimit = 200

/** Whether `total` is exact or a lower bound: long lists are not counted to their end. */
export const TotalRelation = Schema.Literals(["exact", "at_least"]).annotate({
  identifier: "TotalRelation",
  description:
    "`exact`: `total` is how many there are. `at_least`: there are that many or more, because long lists are not counted to their end. Absent: exact."
})

const ListMeta = Schema.Struct({
  total: field(
    "How many items match the filters, on all pages together. With `total_relation: at_least`, there may be more.",
    Schema.Int
  ),
  total_relation: Schema.optionalKey(TotalRelation),
  offset: field(
    "How many matching items come before this page: `offset` of the request, 0 by default.",
    Schema.Int
  ),
  limit: field(
    `The most items on a page: the request's \`limit\` (\`count\` for queue slots) or its default, never more than ${maximumLimit}.`,
    Schema.Int
  ),
  next: field(
    "The absolute URL of the next page, with the same filters; read it with the same credential. null: this is the last page.",
    Schema.NullOr(Schema.String)
  )
}).annotate({
  identifier: "ListMeta",
  description:
    "Where this page is in the list, how many items there are in all, and the URL of the next page."
})

/** The envelope of every list. */
export const List = <Item extends Schema.Top>(item: Item, first = "newest") =>
  Schema.Struct({
    data: field(
      `The items of this page, the ${first} first; empty past the last page.`,
      Schema.Array(item).check(Schema.isMaxLength(maximumLimit))
    ),
    meta: ListMeta
  })

/** A whole number in a query. */
export const atLeast = (
  name: string,
  minimum: number,
  annotations: { default: number; description: string }
) =>
  Schema.String.pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum: 999_999_999_999_999 })), {
      decode: SchemaGetter.transformEffect((text: string) =>
        /^-?\d{1,15}$/.test(text) && Number(text) >= minimum
          ? Effect.succeed(Number(text))
          : Effect.fail(
              new SchemaIssue.InvalidValue({
                message: `${name} is ${JSON.stringify(text)}; it must be a whole number of at least ${minimum}.`
              })
            )
      ),
      encode: SchemaGetter.String()
    })
  ).annotate(annotations)

/** `true` or `false` in a query. */
export const Flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(Schema.Boolean, {
    decode: SchemaGetter.transform((text: "true" | "false") => text === "true"),
    encode: SchemaGetter.transform((flag: boolean) => (flag ? ("true" as const) : ("false" as const)))
  })
)

/** The paging parameters of every list. A `limit` above the maximum counts as the maximum. */
export const paging = {
  limit: Schema.optionalKey(
    atLeast("limit", 1, {
      default: defaultLimit,
      description: `How many items a page has at most. Default: ${defaultLimit}; more than ${maximumLimit} counts as ${maximumLimit}.`
    })
  ),
  offset: Schema.optionalKey(
    atLeast("offset", 0, {
      default: 0,
      description: "How many matching items to skip; `meta.next` has it for the next page. Default: 0."
    })
  )
}

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** One page of items, with what is known of their number. */
export interface Found<Item> {
  readonly data: ReadonlyArray<Item>
  readonly total: number
  readonly total_relation?: typeof TotalRelation.Type
}

export const toPage = (query: { readonly limit?: number; readonly offset?: number }): Page => ({
  limit: Math.min(query.limit ?? defaultLimit, maximumLimit),
  offset: query.offset ?? 0
})

/**
 * A filter that takes several values: repeated (`status=a&status=b`) or with commas (`status=a,b`).
 * The bracket form (`status[]=a`) is folded into the repeated one before decoding, and an empty one (`status=`) left out.
 */
export const Several = <Item extends Schema.Codec<any, string>>(item: Item) =>
  Schema.Union([Schema.String, Schema.Array(Schema.String)]).pipe(
    Schema.decodeTo(
      Schema.Array(item).check(
        Schema.isMinLength(1, { expected: "at least one value" }),
        Schema.isMaxLength(maximumLimit)
      ),
      {
        decode: SchemaGetter.transformEffect((value: string | ReadonlyArray<string>) => {
          const parts = (typeof value === "string" ? [value] : value).flatMap((part) => part.split(","))
          // Duplicates go: each value is looked for separately.
          const values = [...new Set(parts)].filter((part) => part !== "")
          return values.length <= maximumLimit
            ? Effect.succeed(values)
            : Effect.fail(
                new SchemaIssue.InvalidValue({
                  message: `has ${values.length} values; the limit is ${maximumLimit}.`
                })
              )
        }),
        encode: SchemaGetter.passthrough({ strict: false })
      }
    )
  )

/** A filter by ids. Any text is accepted: text that is no id finds nothing, like an id that does not exist. */
/** A filter that may be left out, by any of several values. */
export const anyOf = <Values extends Schema.Top>(sentence: string, values: Values, absent = "all") =>
  field(`${sentence} Separate several with commas. Absent: ${absent}.`, Schema.optionalKey(values))

export const SeveralIds = Several(Schema.String.check(Schema.isMaxLength(20_000)))
