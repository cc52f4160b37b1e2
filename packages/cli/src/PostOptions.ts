import type { Command, OptionValues } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "./CliError.ts"
import { type Following, type PostArgs, toCaptionFor, toSetting } from "@carillon/domain/plan"

export const collect = (value: string, values: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...values,
  value
]

/** The flags of a post. */
// A type, because commander wants an index signature.
export type PostFlags = {
  readonly to?: ReadonlyArray<string>
  readonly media?: ReadonlyArray<string>
  /** false: no thread (--no-then). */
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
        "Put it after the --then that it belongs to. For media of the first post, use --media."
      )
    }
    following.push({ ...last, media: [...last.media, media] })
  }
  // The inferred type is longer than the compiler writes down.
  return (command as Command<Array<any>, any>)
    .option(
      "--to <accounts>",
      "accounts to publish to (comma-separated): IDs, @handles or platforms",
      collect
    )
    .option("--media <file>", "attach a file, URL or media ID; can be repeated", collect)
    .option("--then <text>", "add a follow-up post as a reply; can be repeated", (caption) => {
      following.push({ caption, media: [] })
      return following
    })
    .option("--then-media <file>", "attach media to the preceding --then; can be repeated", addTo)
    .option("--join", "merge follow-ups into one post on platforms without threads")
    .option("--at <time>", 'time to publish: ISO 8601, "+10m", "in 2 hours", "tomorrow 09:00"')
    .option("--tz <zone>", "time zone of --at or --queue (default: the profile's)")
    .option("--queue", "publish at the next free queue slot")
    .option("--draft", "save as a draft")
    .option(
      "--set <platform.option=value>",
      "set an option of a platform or account; can be repeated",
      collect
    )
    .option(
      "--caption-for <account=text>",
      "use a different caption for an account or platform; can be repeated",
      collect
    ) as unknown as Command<Args, Flags & PostFlags>
}

export const argsOf = (caption: string | undefined, given: PostFlags): PostArgs => ({
  caption,
  to: given.to ?? [],
  media: given.media ?? [],
  thread: given.then === false ? [] : given.then,
  fields: given.join ? { thread_fallback: "join" } : {},
  at: given.at,
  tz: given.tz,
  queue: given.queue,
  draft: given.draft,
  settings: [
    ...(given.set ?? []).map((text) => toSetting(text)),
    ...(given.captionFor ?? []).map(toCaptionFor)
  ]
})
