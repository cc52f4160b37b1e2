import type { CreatePost } from "@carillon/sdk"
import { Command } from "@commander-js/extra-typings"
import {
  checkArgs,
  choicesOf,
  planPost,
  type PostArgs,
  type PostPlan,
  readTime,
  type ScheduledTime
} from "@carillon/domain/plan"
import { CliError, exitCodes } from "../CliError.ts"
import { captionOf } from "../GivenText.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { withExamples } from "../Examples.ts"
import type { Output } from "../Output.ts"
import { withPostOptions, argsOf } from "../PostOptions.ts"
import { workspaceOf } from "../workspaceOf.ts"
import { notes, summary } from "../PostText.ts"
import type { Session } from "../Session.ts"
import { count } from "../Text.ts"

export const postCommand: MakeCommand = (open) =>
  withExamples(
    withPostOptions(new Command("post").argument("[caption]", "text of the post, or - for stdin"))
      .option("--wait", "wait until the post is published and print the outcome")
      .option("--dry-run", "check the post and print the request; send nothing")
      .addHelpText("after", explanation)
      .action(async (given, options) => {
        const args = checkedArgs(argsOf(given, options))
        if (options.draft && options.wait) {
          throw new CliError(exitCodes.usage, "--draft cannot be combined with --wait.")
        }
        const session = await open()
        const { client, output, terminal } = session
        const caption = await captionOf(given, terminal, options)
        // Every mistake in the command is found before a file is sent.
        const workspace = workspaceOf(client)
        const plan = await planPost(workspace, { ...args, caption })
        if (options.dryRun) return dryRun(session, plan)

        const { Uploads } = await import("../Uploads.ts")
        const uploads = new Uploads(session)
        const ids = await uploads.sendAll(plan.attachments)
        // An upload may take longer than a relative time.
        const time = plan.time?.relative ? await readTime(args.at!, args.tz, workspace) : plan.time
        if (time !== undefined) await echo(time, output)
        const post = await client.posts.create(plan.request(ids, time))
        uploads.done()
        for (const note of notes(post)) output.note(note)
        if (!options.wait) return output.result(post, () => summary(post))
        const { report, watch } = await import("../Watch.ts")
        report(await watch(client, post, output), output)
      }),
    'post "Evening bells" --to sandbox',
    "post - --to sandbox < bells.txt",
    'post "Evening bells" --media ./bells.jpg --to tiktok,@demo,42 --at "tomorrow 09:00"',
    'post "Evening bells" --to sandbox --queue',
    'post "First bell" --then "Second bell" --then-media ./second.jpg --to bluesky,linkedin --join',
    'post "Bells" --to @demo,42 --caption-for 42="Bells of the tower" --set sandbox.title=Bells',
    'post "Evening bells" --media ./bells.mp4 --to @demo --at "+10s" --wait',
    'post "Evening bells" --to sandbox --at "friday 18:00" --dry-run'
  )

const explanation = `
The post is published immediately unless you use --at, --queue or --draft. A time without a zone is
in the profile's time zone unless you use --tz. The command prints the exact time before it creates
the post. To see the options that --set accepts, run "carillon accounts options <account>".

With --then, the post starts a thread, in which each post replies to the one before. If one fails, the
thread stops there; "carillon posts retry" continues it.`

/** Checks the arguments of a new post, which needs an account. */
export const checkedArgs = (args: PostArgs): PostArgs => {
  if (choicesOf(args.to).length === 0) {
    throw new CliError(
      exitCodes.usage,
      args.to.length === 0 ? "--to is missing: give the accounts to publish to." : "--to is empty.",
      "List accounts with: carillon accounts"
    )
  }
  if (args.fields?.thread_fallback && args.thread === undefined) {
    throw new CliError(exitCodes.usage, "--join has no effect without --then.")
  }
  checkArgs(args)
  return args
}

/** Says the exact instant that is going to be sent. */
export const echo = async (time: ScheduledTime, output: Output): Promise<void> => {
  const { describeInstant } = await import("../ScheduledTime.ts")
  for (const warning of time.warnings) output.note(`Note: ${warning}`)
  output.note(`At ${describeInstant(time.instant, time.timeZone)}`)
}

/** Has the service check a post as far as that is possible without sending its files. */
export const dryRun = async ({ client, output }: Session, plan: PostPlan): Promise<void> => {
  if (plan.time !== undefined) await echo(plan.time, output)
  const inLibrary = new Map(
    plan.attachments.flatMap((one) => ("id" in one ? [[`id ${one.id}`, one.id] as const] : []))
  )
  const known = plan.request(inLibrary)
  const { mediaUrls: urls } = plan
  const request: CreatePost = urls.length === 0 ? known : { ...known, media_urls: urls }
  const files = plan.attachments.flatMap((one) => ("file" in one ? [one.file] : []))
  if (files.length > 0) {
    output.note(`Not uploaded, so not checked: ${files.join(", ")}`)
  }
  // Without its files there may be nothing left to check.
  const hasContent = request.caption !== undefined || request.media !== undefined || urls.length > 0
  const checkedByService = hasContent ? await client.posts.validate(request) : undefined
  for (const warning of checkedByService?.warnings ?? []) output.note(`Note: ${warning}`)
  output.result(
    {
      valid: true,
      scheduled_at: checkedByService?.scheduled_at ?? request.scheduled_at ?? null,
      warnings: checkedByService?.warnings ?? [],
      files,
      request
    },
    () =>
      `Nothing was sent. The request for ${count(request.social_accounts.length, "account")}:\n${JSON.stringify(request, undefined, 2)}`
  )
}
