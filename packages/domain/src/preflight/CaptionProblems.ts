import type { TextRules } from "../Platform.ts"
import { byteLength, hashtagCount, mentionCount, textLength, textUnits } from "../TextLength.ts"
import type { Finding } from "./Finding.ts"

const rulesOfTexts = ["max", "max_bytes", "max_hashtags", "max_mentions"] as const
type TextRule = (typeof rulesOfTexts)[number]

/** A text that is this many times too long is not counted to its end. */
const farTooLong = 4

const measures: Readonly<Record<TextRule, (text: string, rules: TextRules) => number>> = {
  max: (text, rules) => textLength(text, rules, rules.max * farTooLong),
  max_bytes: byteLength,
  max_hashtags: hashtagCount,
  max_mentions: mentionCount
}

const codes = {
  max: "caption_too_long",
  max_bytes: "caption_too_long",
  max_hashtags: "caption_not_accepted",
  max_mentions: "caption_not_accepted"
} as const

const words = { max_bytes: "bytes of text", max_hashtags: "hashtags", max_mentions: "mentions" } as const

export type MeasureText = (text: string, rule: TextRule, rules: TextRules) => number

/** Measures each text once by each rule, however many accounts it goes to. */
export const measureOnce = (): MeasureText => {
  const known = new Map<string, Map<string, number>>()
  return (text, rule, rules) => {
    const lengths = known.get(text) ?? new Map<string, number>()
    known.set(text, lengths)
    const by = rule === "max" ? `${rules.unit} ${rules.address_length} ${rules.max}` : rule
    const length = lengths.get(by) ?? measures[rule](text, rules)
    lengths.set(by, length)
    return length
  }
}

/** The limits that a text breaks; `what` names it: "this caption". */
export const textProblems = (
  text: string,
  rules: TextRules,
  path: string,
  what: string,
  measure: MeasureText
): ReadonlyArray<Finding> => [
  ...rulesOfTexts.flatMap((rule) => {
    const limit = rules[rule]
    if (limit === undefined) return []
    const value = measure(text, rule, rules)
    if (value <= limit) return []
    const unit = rule === "max" ? textUnits[rules.unit] : words[rule]
    const most = limit * farTooLong
    const has = rule === "max" && value > most ? `more than ${most}` : value
    const sentence = `allows at most ${limit} ${unit}; ${what} has ${has}.`
    return [{ path, code: codes[rule], rule, limit, value, sentence }]
  }),
  ...[...(rules.forbidden ?? "")].flatMap((character) =>
    text.includes(character)
      ? [
          {
            path,
            code: "caption_not_accepted" as const,
            rule: "forbidden",
            limit: rules.forbidden!,
            value: character,
            sentence: `does not allow the character ${character}; ${what} contains it.`
          }
        ]
      : []
  )
]
