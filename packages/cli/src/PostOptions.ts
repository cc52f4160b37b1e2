import type { Command, OptionValues } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "./CliError.ts"
import type { Following, PostArgs } from "./PostPlan.ts"
import { toCaptionFor, toSetting } from "./Settings.ts"

export const collect = (value: string, values: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...values,
  value
]

/** The flags of a post. */
// A type, because commander wants an index signature.
export type PostFlags = {
  readonly to?: ReadonlyArray<string>
  readonly media?: ReadonlyArray<string>
  /** false: no chain, by --no-then. */
  readonly then?: ReadonlyArray<Following> | false
  readonly join?: true
  readonly at?: string
  readonly tz?: string
  readonly queue?: true
  readonly draft?: true
  readonly set?: ReadonlyArray<string>
  readonly captionFor?: ReadonlyArray<string>
}

/** Adds the options of a post's content and time. */
export const withPostOptions = <Args extends Array<any>, Flags extends OptionValues>(
  command: Command<Args, Flags>
): Command<Args, Flags & PostFlags> => {
  const following: Array<Following> = []
  const addTo = (media: string) => {
    const last = following.pop()
    if (last === undefined) {
      throw new CliError(
        exitCodes.usage,
        `--then-media: ${JSON.stringify(media)} comes before any --then.`,
        "It belongs to the post of the --then before it; media of the first post are --media."
      )
    }
    following.push({ ...last, media: [...last.media, media] })
  }
  // The inferred type is longer than the compiler writes down.
  return (command as Command<Array<any>, any>)
    .option("--to <accounts>", "where to: ids, @handles or platforms, separated by commas", collect)
    .option("--media <file>", "a file, a URL, or the id of a media item; can be repeated", collect)
    .option(
      "--then <text>",
      "a post that follows as an answer, where there are chains; can be repeated",
      (caption) => {
        following.push({ caption, media: [] })
        return following
      }
    )
    .option("--then-media <file>", "as --media, for the --then before it; can be repeated", addTo)
    .option("--join", "where a platform has no chains: all of it as one post")
    .option("--at <time>", 'when: ISO 8601, "+10m", "in 2 hours", "tomorrow 09:00"')
    .option("--tz <zone>", "the time zone of --at or --queue (default: the profile's)")
    .option("--queue", "at the next free slot of the queue")
    .option("--draft", "save it without publishing")
    .option("--set <platform.option=value>", "an option of a platform or account; can be repeated", collect)
    .option(
      "--caption-for <account=text>",
      "another text for an account or platform; can be repeated",
      collect
    ) as unknown as Command<Args, Flags & PostFlags>
}

export const argsOf = (caption: string | undefined, given: PostFlags): PostArgs => ({
  caption,
  to: given.to ?? [],
  media: given.media ?? [],
  thread: given.then === false ? [] : given.then,
  join: given.join,
  at: given.at,
  tz: given.tz,
  queue: given.queue,
  draft: given.draft,
  settings: [...(given.set ?? []).map(toSetting), ...(given.captionFor ?? []).map(toCaptionFor)]
})
