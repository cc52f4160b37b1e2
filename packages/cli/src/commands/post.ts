import type { Carillon, Post } from "@carillon/sdk"
import { Command } from "@commander-js/extra-typings"
import { accountIds, choicesOf } from "../AccountChoice.ts"
import { toAttachment, uploadAll } from "../Attachments.ts"
import { CliError, exitCodes } from "../CliError.ts"
import type { Output } from "../Output.ts"
import { shortTime } from "../PostText.ts"
import type { ScheduledTime } from "../ScheduledTime.ts"
import type { OpenSession } from "../Session.ts"
import { count } from "../Text.ts"

export const postCommand = (open: OpenSession) =>
  new Command("post")
    .description("Publish a post, now or at a time")
    .argument("[caption]", "the text of the post")
    .requiredOption("--to <accounts>", "where to: ids, @handles or platforms, separated by commas", collect)
    .option("--media <file>", "a file, or the id of a media item; can be repeated", collect)
    .option("--at <time>", 'when: ISO 8601, "+10m", "in 2 hours", "tomorrow 09:00" (default: now)')
    .option("--queue", "at the next free slot of the queue")
    .option("--draft", "save it without publishing")
    .option("--wait", "wait until it is published, and say where")
    .addHelpText("after", explanation)
    .action(async (caption, options) => {
      const choices = choicesOf(options.to)
      if (choices.length === 0) {
        throw new CliError(exitCodes.usage, "--to is empty.", "See the accounts with: carillon accounts")
      }
      if (options.draft && options.wait) {
        throw new CliError(exitCodes.usage, "--draft and --wait exclude each other.")
      }
      if (options.queue && (options.at !== undefined || options.draft)) {
        throw new CliError(exitCodes.usage, "--queue excludes --at and --draft.")
      }
      // Everything that can be wrong with the command is found before a file is sent.
      const attachments = await Promise.all((options.media ?? []).map(toAttachment))
      const { client, output } = await open()
      const at = options.at === undefined ? undefined : await readTime(client, options.at)
      const social_accounts = await accountIds(client, choices)

      const media = await uploadAll(client, attachments, output)
      // An upload may take longer than the time that was to pass.
      const time = at?.relative ? await readTime(client, options.at!, at.timeZone) : at
      if (time !== undefined) await echo(time, output)

      const post = await client.posts.create({
        social_accounts,
        ...(caption === undefined ? {} : { caption }),
        ...(media.length === 0 ? {} : { media }),
        ...(time === undefined ? {} : { scheduled_at: time.instant.toISOString() }),
        ...(options.queue ? { use_queue: true } : {}),
        ...(options.draft ? { is_draft: true } : {})
      })
      for (const warning of post.warnings) output.note(`Note: ${warning}`)
      if (!options.wait) return output.result(post, () => summary(post))
      const { watch } = await import("../Watch.ts")
      await watch(client, post, output)
    })

const collect = (value: string, values: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...values,
  value
]

const explanation = `
A time without a zone is in the profile's time zone. How it was understood is said before the post is sent.

Examples:
  carillon post "Evening bells" --to sandbox
  carillon post "Evening bells" --media ./examples/media/bells.jpg --to @demo --at "+10s" --wait`

const readTime = async (client: Carillon, text: string, knownZone?: string): Promise<ScheduledTime> => {
  const { parseScheduledTime } = await import("../ScheduledTime.ts")
  return parseScheduledTime(text, knownZone ?? (await client.profile.get()).timezone, new Date())
}

const echo = async (time: ScheduledTime, output: Output) => {
  const { describeInstant } = await import("../ScheduledTime.ts")
  for (const warning of time.warnings) output.note(`Note: ${warning}`)
  output.note(`At ${describeInstant(time.instant, time.timeZone)}`)
}

const summary = (post: Post): string => {
  if (post.status === "draft") return `Saved draft ${post.id}`
  const verb =
    post.scheduled_at === null
      ? "Publishing"
      : post.use_queue
        ? `Queued for ${shortTime(post.scheduled_at)}:`
        : "Scheduled"
  const where = count(post.social_accounts.length, "account")
  return `${verb} ${post.id} for ${where}. Follow it with: carillon posts show ${post.id}`
}
