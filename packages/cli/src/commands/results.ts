import type { PostResult } from "@carillon/sdk"
import { Command, Option } from "@commander-js/extra-typings"
import { limitOption, offsetOption, platformOption } from "../ListOptions.ts"
import { shortTime } from "../PostText.ts"
import type { OpenSession } from "../Session.ts"
import type { Column } from "../Table.ts"

const statuses = ["waiting", "publishing", "published", "failed", "unconfirmed", "cancelled"] as const

export const resultsCommand = (open: OpenSession) =>
  new Command("results")
    .description("List what happened on each account, newest first")
    .option("--post <id>", "only this post")
    .addOption(platformOption())
    .addOption(new Option("--status <status>", "only these").choices(statuses))
    .addOption(limitOption())
    .addOption(offsetOption())
    .action(async ({ post, ...filter }) => {
      const { client, output } = await open()
      await output.list(
        await client.results.list(post === undefined ? filter : { ...filter, post_id: post }),
        columns,
        "No results."
      )
    })

const columns: ReadonlyArray<Column<PostResult>> = [
  { title: "POST", of: (result) => result.post_id },
  { title: "PLATFORM", of: (result) => result.platform },
  { title: "ACCOUNT", of: (result) => result.social_account_id },
  { title: "STATUS", of: (result) => result.status },
  { title: "TRIES", of: (result) => result.attempts },
  { title: "TIME", of: (result) => shortTime(result.published_at ?? result.next_attempt_at) },
  {
    title: "WHERE OR WHY NOT",
    of: (result) => result.platform_data?.url ?? result.error?.message ?? null,
    whole: true
  }
]
