import type { Post, PostSummary } from "@carillon/sdk"
import { Command, Option } from "@commander-js/extra-typings"
import { limitOption, offsetOption, platformOption } from "../ListOptions.ts"
import { describeResult, shortTime } from "../PostText.ts"
import type { OpenSession } from "../Session.ts"
import type { Column } from "../Table.ts"
import { oneLine } from "../Text.ts"

const statuses = ["scheduled", "published", "failed", "draft"] as const

export const postsCommand = (open: OpenSession) =>
  new Command("posts")
    .description("List posts, newest first")
    .addOption(new Option("--status <status>", "only these").choices(statuses))
    .addOption(platformOption())
    .addOption(limitOption())
    .addOption(offsetOption())
    .action(async (filter) => {
      const { client, output } = await open()
      await output.list(
        await client.posts.list(filter),
        columns,
        'No posts. Make one with: carillon post "Hello" --to <account>'
      )
    })
    .addCommand(
      new Command("show")
        .description("Show a post and what happened on each account")
        .argument("<id>", "the post's id")
        .action(async (id) => {
          const { client, output } = await open()
          const post = await client.posts.get(id)
          output.result(post, () => describePost(post))
        })
    )
    .addCommand(
      new Command("retry")
        .description("Send the failed targets of a post again")
        .argument("<id>", "the post's id")
        .option("--force", "unconfirmed ones too; what is live already is then posted a second time")
        .action(async (id, { force = false }) => {
          const { client, output } = await open()
          const post = await client.posts.retry(id, { force })
          output.result(post, () => describePost(post))
        })
    )

const columns: ReadonlyArray<Column<PostSummary>> = [
  { title: "ID", of: (post) => post.id },
  { title: "STATUS", of: (post) => post.status },
  { title: "TIME", of: (post) => shortTime(post.published_at ?? post.scheduled_at) },
  { title: "LIVE ON", of: ({ progress }) => `${progress.published} of ${progress.total}` },
  { title: "CAPTION", of: (post) => post.caption }
]

const describePost = (post: Post): string =>
  [
    `Post ${post.id}: ${post.status}`,
    ...(post.caption === null ? [] : [`Caption: ${oneLine(post.caption)}`]),
    ...(post.scheduled_at === null ? [] : [`Scheduled for ${shortTime(post.scheduled_at)}`]),
    ...(post.media.length === 0 ? [] : [`Media: ${post.media.join(", ")}`]),
    ...post.warnings.map((warning) => `Note: ${warning}`),
    ...post.results.map((result) => `- ${describeResult(result, undefined)}`)
  ].join("\n")
