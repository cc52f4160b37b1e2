import type { TextRules } from "../Platform.ts"
import { hashtagCount, linksOf, mentionCount, textLength, textUnits } from "../TextLength.ts"
import type { Finding } from "./Finding.ts"

const measures = {
  max: { code: "caption_too_long", of: textLength },
  max_bytes: {
    code: "caption_too_long",
    of: (text: string, _: TextRules, most: number) => textLength(text, { unit: "bytes" }, most)
  },
  max_hashtags: { code: "caption_not_accepted", of: hashtagCount },
  max_mentions: { code: "caption_not_accepted", of: mentionCount },
  max_links: { code: "caption_not_accepted", of: (text: string) => linksOf(text).size }
} as const

const words = {
  max_bytes: "bytes of text",
  max_hashtags: "hashtags",
  max_mentions: "mentions",
  max_links: "different links"
} as const

/** A text that is this many times too long is not counted to its end. */
const farTooLong = 4

/** In a text that is far too long, hashtags, mentions and links are not counted. */
const ruleNames = ({ length }: string, { max }: TextRules): ReadonlyArray<keyof typeof measures> =>
  length > 2 * farTooLong * max
    ? ["max", "max_bytes"]
    : ["max", "max_bytes", "max_hashtags", "max_mentions", "max_links"]

export type MeasureText = (text: string, rule: keyof typeof measures, rules: TextRules) => number

/** Measures each text once by each rule, however many accounts it goes to. */
export const measureOnce = (): MeasureText => {
  const known = new Map<string, Map<string, number>>()
  return (text, rule, rules) => {
    const lengths = known.get(text) ?? new Map<string, number>()
    known.set(text, lengths)
    const by = rule === "max" ? `${rules.unit} ${rules.address_length} ${rules.max}` : rule
    const length = lengths.get(by) ?? measures[rule].of(text, rules, rules[rule]! * farTooLong)
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
  ...ruleNames(text, rules).flatMap((rule) => {
    const limit = rules[rule]
    if (limit === undefined) return []
    const value = measure(text, rule, rules)
    if (value <= limit) return []
    const unit = rule === "max" ? textUnits[rules.unit] : words[rule]
    const most = limit * farTooLong
    const has = value > most ? `more than ${most}` : value
    const sentence = `allows at most ${limit} ${unit}; ${what} has ${has}.`
    return [{ path, code: measures[rule].code, rule, limit, value, sentence }]
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
