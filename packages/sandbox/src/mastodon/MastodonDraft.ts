import { Result, Schema } from "effect"
import type { Upload } from "./Mastodon.ts"
import type { MastodonServer } from "./MastodonServers.ts"

/** Forms have no types. */
const Flag = Schema.Union([
  Schema.Boolean,
  Schema.Literals(["true", "1"]).transform([true, true]),
  Schema.Literals(["false", "0"]).transform([false, false])
])
const Whole = Schema.Union([Schema.Int, Schema.NumberFromString.check(Schema.isInt())])

/** https://docs.joinmastodon.org/methods/statuses/#create */
const Draft = Schema.Struct({
  status: Schema.optionalKey(Schema.String),
  media_ids: Schema.optionalKey(Schema.Array(Schema.String)),
  poll: Schema.optionalKey(
    Schema.Struct({
      options: Schema.Array(Schema.String),
      expires_in: Whole.check(Schema.isBetween({ minimum: 300, maximum: 2_629_746 })),
      multiple: Schema.optionalKey(Flag),
      hide_totals: Schema.optionalKey(Flag)
    })
  ),
  in_reply_to_id: Schema.optionalKey(Schema.String),
  sensitive: Schema.optionalKey(Flag),
  spoiler_text: Schema.optionalKey(Schema.String),
  visibility: Schema.optionalKey(Schema.Literals(["public", "unlisted", "private", "direct"])),
  language: Schema.optionalKey(Schema.String),
  quoted_status_id: Schema.optionalKey(Schema.String),
  quote_approval_policy: Schema.optionalKey(Schema.Literals(["public", "followers", "nobody"])),
  allowed_mentions: Schema.optionalKey(Schema.Array(Schema.String))
})
const decodeDraft = Schema.decodeUnknownResult(Draft, { onExcessProperty: "error" })

/** The status to publish, or which of its parameters is not known or what is wrong with one that is. */
export const readDraft = (parameters: unknown) =>
  Result.mapError(decodeDraft(parameters), ({ message }) => {
    const [, what, at = "the body"] = /^(.*?)(?:\n\s*at \["(.*)"\])?$/s.exec(message)!
    const name = at.replaceAll('"]["', ".")
    return what === "Expected no excess property" ? `the test network knows no ${name}` : `${name}: ${what}`
  })

/** https://docs.joinmastodon.org/methods/media/#v2: "Two floating points (x,y), comma-delimited, ranging from -1.0 to 1.0." */
export const isFocus = (text: string) => {
  const numbers = text.split(",")
  return numbers.length === 2 && numbers.every((one) => one.trim() !== "" && Math.abs(Number(one)) <= 1)
}

/** What was sent with the files besides their descriptions. */
export const shownWith = (uploads: ReadonlyArray<Upload>) => ({
  ...(uploads.some(({ focus }) => focus !== undefined)
    ? { focus: uploads.map(({ focus = null }) => focus) }
    : {}),
  ...Object.fromEntries(
    uploads.flatMap(({ thumbnail }) => (thumbnail === undefined ? [] : [["thumbnail", { ...thumbnail }]]))
  )
})

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** https://docs.joinmastodon.org/user/posting/#text: addresses have one length, of mentions the name alone counts, and the warning counts. */
export const lengthOf = (text: string, { more: { perAddress = 23 } = {} }: MastodonServer) => {
  const counted =
    perAddress === 0
      ? text
      : text
          .replaceAll(/https?:\/\/\S+/g, "x".repeat(perAddress))
          .replaceAll(/(?<![\w/])@(\w+)@[\w.-]+\w/g, "@$1")
  return [...segmenter.segment(counted)].length
}
