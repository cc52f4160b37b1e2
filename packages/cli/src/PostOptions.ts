import type { Command, OptionValues } from "@commander-js/extra-typings"
import type { PostArgs } from "./PostPlan.ts"
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
): Command<Args, Flags & PostFlags> =>
  // The inferred type is longer than the compiler writes down.
  (command as Command<Array<any>, any>)
    .option("--to <accounts>", "where to: ids, @handles or platforms, separated by commas", collect)
    .option("--media <file>", "a file, a URL, or the id of a media item; can be repeated", collect)
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

export const argsOf = (caption: string | undefined, given: PostFlags): PostArgs => ({
  caption,
  to: given.to ?? [],
  media: given.media ?? [],
  at: given.at,
  tz: given.tz,
  queue: given.queue,
  draft: given.draft,
  settings: [...(given.set ?? []).map(toSetting), ...(given.captionFor ?? []).map(toCaptionFor)]
})
