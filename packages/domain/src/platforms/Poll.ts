import { Schema } from "effect"
import type { OptionConflict, PostOptions } from "../Platform.ts"
import { textLength } from "../TextLength.ts"
import { filledText, flag, option } from "./OptionFields.ts"
import { field } from "../Field.ts"

interface PollLimits {
  /** The longest question, in characters. */
  readonly question: number
  /** The most choices, and the longest of them. */
  readonly options: number
  readonly option: number
  /** The longest time that it is open, and how long it is unless the post says so. */
  readonly hours: number
  readonly openFor: string
}

/**
 * A poll whose question is the caption unless it has one of its own. `usual`: what most accounts take of these limits;
 * `more`: what only this network's polls have.
 */
export const poll = <More extends Schema.Struct.Fields = {}>(
  limits: PollLimits,
  usual?: Pick<PollLimits, "options" | "option" | "hours">,
  more = {} as More
) => {
  const { question, options, option: choice, hours, openFor } = limits
  const told = usual ?? limits
  const byServer = usual === undefined ? "" : ", unless the account's server sets other limits"
  return option(
    Schema.Struct({
      question: field(
        `What the poll asks, ${usual === undefined ? `in at most ${question} characters; the caption is then shown with the poll` : "shown below the caption; the caption's limit is for both together"}. Default: the caption is the question.`,
        Schema.optionalKey(filledText(question))
      ),
      options: field(
        `The choices in the order shown: 2 to ${told.options}, of at most ${told.option} characters each${byServer}.`,
        Schema.Array(filledText(choice)).check(
          Schema.isBetweenLength(2, options, { expected: `2 to ${options} choices` })
        )
      ),
      duration_hours: field(
        `How many hours the poll is open: 1 to ${told.hours}${byServer}. Default: ${openFor}.`,
        Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: hours })))
      ),
      multiple: field(
        "true: one person can choose several. Default: false, one choice.",
        Schema.optionalKey(flag)
      ),
      ...more
    }),
    "Poll",
    `2 to ${told.options} choices of at most ${told.option} characters, open for 1 to ${told.hours} hours${byServer}. Not with media.`
  )
}

/** Conflicts of a poll with the rest of the post; `longest` is the longest question. */
export const pollConflicts =
  (longest: number) =>
  ({ options: { poll }, media, caption }: PostOptions): ReadonlyArray<OptionConflict> => {
    if (typeof poll !== "object" || poll === null) return []
    const asked = "question" in poll ? longest : textLength(caption, { unit: "code_points" })
    return [
      ...(media.length > 0
        ? [
            {
              option: "poll",
              rule: "poll_without_media",
              sentence: "allows a poll or media in one post, not both; remove one of them."
            }
          ]
        : []),
      ...(asked > longest || asked === 0
        ? [
            {
              option: "poll",
              rule: "poll_question",
              sentence: `allows a poll question of 1 to ${longest} characters; the caption, which is the question here, has ${asked}. Give the poll its own question.`,
              limit: longest,
              value: asked
            }
          ]
        : [])
    ]
  }
