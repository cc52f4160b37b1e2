import type { TextRules } from "../Platform.ts"
import { byteLength, hashtagCount, mentionCount, textLength, textUnits } from "../TextLength.ts"
import type { Finding } from "./Finding.ts"

const measures = {
  max: { of: textLength, code: "caption_too_long" },
  max_bytes: { of: byteLength, code: "caption_too_long" },
  max_hashtags: { of: hashtagCount, code: "caption_not_accepted" },
  max_mentions: { of: mentionCount, code: "caption_not_accepted" }
} as const

const words = { max_bytes: "bytes of text", max_hashtags: "hashtags", max_mentions: "mentions" } as const

/** The limits that a text breaks; `what` names it: "this caption". */
export const textProblems = (
  text: string,
  rules: TextRules,
  path: string,
  what: string
): ReadonlyArray<Finding> => [
  ...(["max", "max_bytes", "max_hashtags", "max_mentions"] as const).flatMap((rule) => {
    const limit = rules[rule]
    if (limit === undefined) return []
    const { of, code } = measures[rule]
    const value = of(text, rules)
    if (value <= limit) return []
    const unit = rule === "max" ? textUnits[rules.unit] : words[rule]
    const sentence = `allows at most ${limit} ${unit}; ${what} has ${value}.`
    return [{ path, code, rule, limit, value, sentence }]
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
