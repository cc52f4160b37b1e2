import type { PostResult } from "@carillon/sdk"
import { Command, Option } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import { limitOption, offsetOption, platformOption } from "../ListOptions.ts"
import { describeItems, describeResult, whatBecameOf } from "../PostText.ts"
import type { OpenSession } from "../Session.ts"
import type { Column } from "../Table.ts"
import { shortTime } from "../Text.ts"
import { toneOf } from "../Color.ts"

const statuses = ["waiting", "publishing", "published", "failed", "unconfirmed"] as const

export const resultsCommand: MakeCommand = (open) =>
  withExamples(
    new Command("results")
      .addCommand(listCommand(open), { isDefault: true })
      .addCommand(showCommand(open))
      .addCommand(confirmCommand(open))
      .addCommand(dismissCommand(open)),
    "results --status failed",
    "results --post 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const listCommand = (open: OpenSession) =>
  withExamples(
    new Command("list")
      .description("List the result of each post on each account, newest first")
      .option("--post <id>", "filter by post ID")
      .addOption(platformOption())
      .addOption(new Option("--status <status>", "filter by status").choices(statuses))
      .addOption(limitOption())
      .addOption(offsetOption())
      .action(async ({ post, ...filter }) => {
        const { client, output } = await open()
        await output.list(
          await client.results.list({
            status: "all",
            ...filter,
            ...(post === undefined ? {} : { post_id: post })
          }),
          columns,
          "No results."
        )
      }),
    "results list --status failed --limit 10"
  )

const showCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("show"), "SinglePostResult")
      .description("Show a result and what to do about it")
      .argument("<id>", "result ID")
      .action(async (id) => {
        const { client, output } = await open()
        const result = await client.results.get(id)
        output.result(result, () => describe(result))
      }),
    "results show 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const confirmCommand = (open: OpenSession) =>
  withExamples(
    new Command("confirm")
      .description("Confirm the outcome of an unconfirmed result after checking the platform")
      .argument("<id>", "result ID")
      .option("--published <url>", "confirm that the post is live at this URL")
      .option("--not-published", "confirm that the post is not live; it can then be retried")
      .action(async (id, { notPublished, published }) => {
        if ((published === undefined) === (notPublished === undefined)) {
          throw new CliError(exitCodes.usage, "Give either --published <url> or --not-published.")
        }
        const { client, output } = await open()
        const result = await client.results.confirm(
          id,
          published === undefined ? { published: false } : { published: true, url: published }
        )
        output.result(result, () => describe(result))
      }),
    "results confirm 01a1fd84-0a5f-7788-97ec-9b46677293d3 --published https://social.example/@alice/1234",
    "results confirm 01a1fd84-0a5f-7788-97ec-9b46677293d3 --not-published"
  )

const dismissCommand = (open: OpenSession) =>
  withExamples(
    new Command("dismiss")
      .description("Dismiss a failure so that it no longer needs attention")
      .argument("<id>", "result ID")
      .option("--undo", "undo the dismissal")
      .action(async (id, { undo = false }) => {
        const { client, output } = await open()
        const result = await client.results.dismiss(id, !undo)
        output.result(result, () => describe(result))
      }),
    "results dismiss 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const describe = (result: PostResult): string =>
  [
    `Result ${result.id} of post ${result.post_id}`,
    describeResult(result, undefined),
    ...describeItems(result),
    `Attempts: ${result.attempts}`,
    ...(result.published_at === null ? [] : [`Published at ${shortTime(result.published_at)}`]),
    ...(result.next_attempt_at === null ? [] : [`Next attempt at ${shortTime(result.next_attempt_at)}`]),
    ...(result.error === null ? [] : [`What to do: ${result.error.action.replaceAll("_", " ")}`])
  ].join("\n")

const columns: ReadonlyArray<Column<PostResult>> = [
  { title: "POST", of: (result) => result.post_id },
  { title: "PLATFORM", of: (result) => result.platform },
  { title: "ACCOUNT", of: (result) => result.social_account_id },
  { title: "STATUS", of: (result) => result.status, tone: (result) => toneOf(result.status) },
  { title: "ATTEMPTS", of: (result) => result.attempts },
  { title: "TIME", of: (result) => shortTime(result.published_at ?? result.next_attempt_at) },
  {
    title: "LINK OR REASON",
    of: (result) => whatBecameOf(result),
    whole: true
  }
]
