import type { CreatePost, Post, PostDeleted, PostSummary, UpdatePost } from "@carillon/sdk"
import { Command, Option } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import { accountIds } from "../AccountChoice.ts"
import { captionOf } from "../GivenText.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { confirm } from "../Confirm.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import {
  accountOption,
  limitOption,
  offsetOption,
  platformOption,
  readDays,
  severalOf
} from "../ListOptions.ts"
import { type PostFlags, withPostOptions, argsOf } from "../PostOptions.ts"
import { planPost, type PostArgs, readTime } from "@carillon/domain/plan"
import { workspaceOf } from "../workspaceOf.ts"
import { describePost, notes } from "../PostText.ts"
import { planRepair } from "../RepairPlan.ts"
import type { OpenSession, Session } from "../Session.ts"
import type { Column } from "../Table.ts"
import { count, shortTime } from "../Text.ts"
import { toneOf } from "../Color.ts"
import { checkedArgs, dryRun, echo } from "./post.ts"

const statuses = ["scheduled", "processing", "published", "failed", "draft"] as const

export const postsCommand: MakeCommand = (open) =>
  withExamples(
    new Command("posts")
      .addCommand(listCommand(open), { isDefault: true })
      .addCommand(showCommand(open))
      .addCommand(editCommand(open))
      .addCommand(deleteCommand(open))
      .addCommand(retryCommand(open))
      .addCommand(publishCommand(open))
      .addCommand(requestApprovalCommand(open))
      .addCommand(validateCommand(open))
      .addCommand(importCommand(open)),
    "posts",
    "posts list --status scheduled,draft",
    "posts show 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const listCommand = (open: OpenSession) =>
  withExamples(
    new Command("list")
      .description("List posts, newest first")
      .addOption(
        new Option(
          "--status <statuses>",
          `filter by status (comma-separated): ${statuses.join(", ")}`
        ).argParser(severalOf("status", statuses))
      )
      .addOption(
        new Option("--result <result>", "filter by result on any account; waiting: held up").choices([
          "failed",
          "unconfirmed",
          "waiting"
        ])
      )
      .addOption(
        new Option("--approval <status>", "filter by a person's approval").choices([
          "waiting",
          "approved",
          "refused"
        ])
      )
      .addOption(platformOption())
      .addOption(accountOption())
      .option("--from <day>", "show posts from this day or time on, such as 2030-12-01 or yesterday")
      .option("--to <day>", "show posts up to this day or time")
      .option("--undated", "show only drafts without a time")
      .option("--created-from <day>", "show posts created from this day or time on")
      .option("--created-to <day>", "show posts created up to this day or time")
      .option("--search <text>", "filter by text in the caption or a thread item")
      .addOption(limitOption())
      .addOption(offsetOption())
      .action(async ({ account, search, from, to, createdFrom, createdTo, ...filter }) => {
        const { client, output } = await open()
        const days = { from, to, created_from: createdFrom, created_to: createdTo }
        await output.list(
          await client.posts.list({
            ...filter,
            ...(await readDays(days, workspaceOf(client).timeZone)),
            ...(account === undefined ? {} : { social_account_id: await accountIds(client, account) }),
            ...(search === undefined ? {} : { q: search })
          }),
          columns,
          'No posts. Create one with: carillon post "Hello" --to <account>'
        )
      }),
    "posts list --status failed --limit 5",
    "posts list --platform sandbox --search bells",
    "posts list --from 2026-12-01 --to 2026-12-31 --json",
    "posts list --undated"
  )

const showCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("show"), "Post")
      .description("Show a post and its result on each account")
      .argument("<id>", "post ID")
      .action(async (id) => {
        const { client, output } = await open()
        const post = await client.posts.get(id)
        output.result(post, () => describePost(post))
      }),
    "posts show 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const editCommand = (open: OpenSession) =>
  withExamples(
    withPostOptions(
      new Command("edit")
        .description("Edit a draft or scheduled post; only the given options change")
        .argument("<id>", "post ID")
        .option("--caption <text>", "new text of the post, or - for stdin")
    )
      .option("--no-then", "remove the thread's follow-up posts")
      .option("--now", "publish the post now")
      .option("--schedule", "schedule a draft at its time, or at --at or --queue")
      .action(async (id, options) => {
        const args = argsOf(options.caption, options)
        if (options.schedule && (options.draft || options.now)) {
          throw new CliError(exitCodes.usage, "--schedule cannot be combined with --draft or --now.")
        }
        const times = [options.at, options.queue, options.draft, options.now].filter(
          (one) => one !== undefined
        )
        if (options.now && times.length > 1) {
          throw new CliError(exitCodes.usage, "--now cannot be combined with --at, --queue or --draft.")
        }
        if (Object.keys(options).length === 0) {
          throw new CliError(
            exitCodes.usage,
            "Nothing to change: give at least one option.",
            "See the options with: carillon posts edit --help"
          )
        }
        const session = await open()
        const { client, output, terminal } = session
        const caption = options.caption && (await captionOf(options.caption, terminal))
        const plan = await planPost(workspaceOf(client), { ...args, caption })
        const { Uploads } = await import("../Uploads.ts")
        const uploads = new Uploads(session)
        const ids = await uploads.sendAll(plan.attachments)
        if (plan.time !== undefined) await echo(plan.time, output)
        const before = await client.posts.get(id)
        if (options.schedule && before.scheduled_at === null && args.at === undefined && !args.queue) {
          throw new CliError(
            exitCodes.usage,
            "The draft has no time.",
            "Use --at or --queue to set one, or --now to publish immediately."
          )
        }
        const asked = changes(before, plan.request(ids), args, options)
        const changed =
          Object.keys(asked).length > 0 ? await client.posts.update(id, asked, { ifMatch: before }) : before
        uploads.done()
        const post = options.now ? await client.posts.publish(id, { ifMatch: changed }) : changed
        if (before.is_draft && post.is_draft && args.at !== undefined && !args.draft) {
          output.note(
            `Note: The post is still a draft with this time. Schedule it with: carillon posts edit ${id} --schedule`
          )
        }
        for (const note of notes(post)) output.note(note)
        output.result(post, () => describePost(post))
      }),
    'posts edit 01a1fd84-0a5f-7788-97ec-9b46677293d3 --at "tomorrow 09:00"',
    "posts edit 01a1fd84-0a5f-7788-97ec-9b46677293d3 --schedule",
    'posts edit 01a1fd84-0a5f-7788-97ec-9b46677293d3 --caption "Other bells" --set sandbox.title=Bells',
    "posts edit 01a1fd84-0a5f-7788-97ec-9b46677293d3 --draft"
  )

/** Settings of a platform or account are added to the present ones, because the service replaces the whole of them. */
const changes = (
  before: Pick<Post, "is_draft" | "platform_configurations" | "account_configurations">,
  asked: UpdatePost,
  args: PostArgs,
  { schedule }: { readonly schedule?: true }
): UpdatePost => {
  const platforms = asked.platform_configurations
  const accounts = asked.account_configurations
  return {
    ...asked,
    ...(schedule && before.is_draft ? { is_draft: false } : {}),
    ...(platforms === undefined || platforms === null
      ? {}
      : { platform_configurations: merged(before.platform_configurations ?? {}, platforms) }),
    ...(accounts === undefined || accounts === null || !Array.isArray(accounts)
      ? {}
      : {
          account_configurations: Object.values(
            merged(byAccount(staying(before, asked)), byAccount(accounts))
          )
        })
  } as UpdatePost
}

const merged = (before: object, after: object): Record<string, object> => {
  const result: Record<string, object> = { ...before }
  for (const [key, entry] of Object.entries(after)) result[key] = { ...result[key], ...entry }
  return result
}

/** The present settings of the accounts that the post goes on to go to. */
const staying = (
  { account_configurations: present }: Pick<Post, "account_configurations">,
  { social_accounts: to }: UpdatePost
) => (present ?? []).filter(({ account_id }) => to === undefined || to.includes(account_id))

const byAccount = (entries: ReadonlyArray<{ readonly account_id: number }>) =>
  Object.fromEntries(entries.map((entry) => [entry.account_id, entry]))

const deleteCommand = (open: OpenSession) =>
  withExamples(
    new Command("delete")
      .description("Delete drafts or scheduled posts")
      .argument("<ids...>", "post IDs")
      .option("--yes", "skip the confirmation prompt")
      .action(async (ids, { yes }) => {
        const { client, output, terminal } = await open()
        await confirm(terminal, `Delete ${ids.length === 1 ? `post ${ids[0]}` : `${ids.length} posts`}?`, yes)
        const deleted: Array<PostDeleted> = []
        for (const id of ids) deleted.push(await client.posts.delete(id))
        output.result(deleted.length === 1 ? deleted[0] : deleted, () =>
          deleted.map(({ id }) => `Deleted post ${id}`).join("\n")
        )
      }),
    "posts delete 01a1fd84-0a5f-7788-97ec-9b46677293d3 --yes"
  )

const retryCommand = (open: OpenSession) =>
  withExamples(
    withPostOptions(
      new Command("retry")
        .description("Retry a post where it failed; threads continue after their last live item")
        .argument("<id>", "post ID")
        .option("--edit", "publish a new post instead, with the given options changed")
        .option("--caption <text>", "with --edit: new text of the post")
    )
      .option("--no-then", "with --edit: remove the thread's follow-up posts")
      .addOption(accountOption("retry only these accounts"))
      .option("--force", "also retry unconfirmed results, at the risk of publishing twice")
      .option("--wait", "wait until the post is published and print the outcome")
      .action(async (id, { account, edit, force = false, wait, ...changed }) => {
        const [option] = Object.keys(changed)
        if (!edit && option !== undefined) {
          throw new CliError(
            exitCodes.usage,
            "A retry sends the post as it is.",
            "Add --edit to publish a new post with these changes instead."
          )
        }
        if (edit && option === undefined) {
          throw new CliError(
            exitCodes.usage,
            "Nothing to change: --edit needs at least one option of a post.",
            "See the options with: carillon posts retry --help"
          )
        }
        if (edit && (force || changed.to !== undefined)) {
          throw new CliError(
            exitCodes.usage,
            `--edit cannot be combined with ${force ? "--force" : "--to"}.`,
            "It goes to the accounts on which the post failed; choose among them with --account."
          )
        }
        if (edit && changed.draft && wait) {
          throw new CliError(exitCodes.usage, "--draft cannot be combined with --wait.")
        }
        const session = await open()
        const { client, output } = session
        const accounts = account === undefined ? undefined : await accountIds(client, account)
        const post = edit
          ? await repaired(session, id, accounts, changed)
          : await client.posts.retry(id, {
              force,
              ...(accounts === undefined ? {} : { social_accounts: accounts })
            })
        if (!wait) return output.result(post, () => describePost(post))
        const { report, watch } = await import("../Watch.ts")
        report(await watch(client, post, output), output)
      }),
    "posts retry 01a1fd84-0a5f-7788-97ec-9b46677293d3 --wait",
    'posts retry 01a1fd84-0a5f-7788-97ec-9b46677293d3 --edit --caption "Other bells" --wait'
  )

/** Creates the post that goes out instead of what failed. */
const repaired = async (
  session: Session,
  id: string,
  accounts: ReadonlyArray<number> | undefined,
  options: PostFlags & { readonly caption?: string }
): Promise<Post> => {
  const { client, output } = session
  const args = argsOf(options.caption, options)
  const plan = await planPost(workspaceOf(client), args)
  const before = await client.posts.get(id)
  const repair = planRepair(before, accounts, [
    ...(args.caption === undefined ? [] : (["caption"] as const)),
    ...(args.media.length === 0 ? [] : (["media"] as const)),
    ...(args.thread === undefined ? [] : (["thread"] as const))
  ])
  const { Uploads } = await import("../Uploads.ts")
  const uploads = new Uploads(session)
  const ids = await uploads.sendAll(plan.attachments)
  const time = plan.time?.relative ? await readTime(args.at!, args.tz, workspaceOf(client)) : plan.time
  if (time !== undefined) await echo(time, output)
  const { request, results } = repair
  const asked = changes(
    {
      is_draft: false,
      platform_configurations: request.platform_configurations ?? null,
      account_configurations: (request.account_configurations ?? null) as Post["account_configurations"]
    },
    plan.request(ids, time),
    args,
    {}
  )
  const post = await client.posts.create({ ...request, ...asked } as CreatePost)
  uploads.done()
  for (const note of notes(post)) output.note(note)
  const boards = before.results.filter(
    (one) =>
      one.status === "failed" &&
      one.repaired_by === undefined &&
      results.some((mended) => mended.social_account_id === one.social_account_id && mended.id !== one.id)
  )
  if (boards.length > 0) {
    output.note(
      `Note: It also failed on ${count(boards.length, "other board")} of these accounts. Repeat the command for ${boards.length === 1 ? "it" : "them"}.`
    )
  }
  return post
}

const publishCommand = (open: OpenSession) =>
  withExamples(
    new Command("publish")
      .description("Publish a draft or scheduled post now")
      .argument("<id>", "post ID")
      .option("--wait", "wait until the post is published and print the outcome")
      .action(async (id, { wait }) => {
        const { client, output } = await open()
        const post = await client.posts.publish(id)
        if (!wait) return output.result(post, () => describePost(post))
        const { report, watch } = await import("../Watch.ts")
        report(await watch(client, post, output), output)
      }),
    "posts publish 01a1fd84-0a5f-7788-97ec-9b46677293d3 --wait"
  )

const requestApprovalCommand = (open: OpenSession) =>
  withExamples(
    new Command("request-approval")
      .description("Ask a person to let a draft or scheduled post go out")
      .argument("<id>", "post ID")
      .action(async (id) => {
        const { client, output } = await open()
        const post = await client.posts.requestApproval(id)
        output.result(post, () => describePost(post))
      }),
    "posts request-approval 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const validateCommand = (open: OpenSession) =>
  withExamples(
    withPostOptions(
      new Command("validate")
        .description("Check a post against its platforms' rules without sending it")
        .argument("[caption]", "text of the post, or - for stdin")
    ).action(async (given, options) => {
      const args = checkedArgs(argsOf(given, options))
      const session = await open()
      const caption = await captionOf(given, session.terminal, options)
      await dryRun(session, await planPost(workspaceOf(session.client), { ...args, caption }))
    }),
    'posts validate "Evening bells" --to tiktok,sandbox --at "friday 18:00"'
  )

const importCommand = (open: OpenSession) =>
  withExamples(
    new Command("import")
      .description("Create posts from the rows of a CSV or JSON Lines file")
      .argument("<file>", "file to import, or - for stdin")
      .addOption(
        new Option("--format <format>", "format of the file (default: from its name)").choices([
          "csv",
          "jsonl"
        ])
      )
      .option("--tz <zone>", "time zone of times without one (default: the profile's)")
      .option("--dry-run", "check all rows; post nothing")
      .option("--again", "also post rows imported within the last 24 hours")
      .addHelpText("after", columnsOfAnImport)
      .action(async (file, options) => {
        const { importPosts } = await import("../ImportPosts.ts")
        await importPosts(await open(), file, options)
      }),
    "posts import campaign.csv --tz Europe/Paris --dry-run",
    "posts import campaign.jsonl",
    "posts import - --format csv < campaign.csv"
  )

const columnsOfAnImport = `
Columns of a CSV file, and keys of a line of JSON Lines:
  caption             text of the post
  to                  accounts, as in --to (required)
  at                  time, as in --at, or "now" to publish immediately
  tz                  time zone of at, as in --tz
  queue               true: publish at the next free queue slot
  draft               true: save as a draft
  media               files, URLs or media IDs, separated by commas
  thread_2            text of the first follow-up post; the next are thread_3 and so on
  thread_2_media      files, URLs or media IDs of that follow-up post
  thread              all follow-up posts, as JSON: ["text", {"caption": "text", "media": ["a.jpg"]}]
  thread_fallback     join: merge follow-ups into one post on platforms without threads
  <platform>.<option> or <account>.<option>
                      as in --set, such as tiktok.is_aigc or 42.caption

Each row needs at, queue or draft. All rows are checked first; if one is invalid, nothing is posted.
Rows imported within the last 24 hours are not posted again, so you can repeat a failed import.`

const liveOn = ({ failed_items, published, rejected, repaired, total }: PostSummary["progress"]) =>
  `${published} of ${total}${failed_items === undefined ? "" : `, ${count(failed_items, "item")} missing`}${rejected === undefined ? "" : `, ${rejected} rejected`}${repaired === undefined ? "" : `, ${repaired} repaired`}`

const columns: ReadonlyArray<Column<PostSummary>> = [
  { title: "ID", of: (post) => post.id },
  { title: "STATUS", of: (post) => post.status, tone: (post) => toneOf(post.status) },
  { title: "TIME", of: (post) => shortTime(post.published_at ?? post.scheduled_at) },
  { title: "LIVE ON", of: ({ progress }) => liveOn(progress) },
  { title: "CAPTION", of: ({ excerpt }) => excerpt }
]
