import { type Carillon, type Post, type PostResult, PublishFailedError } from "@carillon/sdk"
import { CliError, exitCodes } from "./CliError.ts"
import type { LiveLines } from "./LiveLines.ts"
import type { Output } from "./Output.ts"
import { describeItems, describeResult } from "./PostText.ts"
import { count, duration } from "./Text.ts"
import { color, toneOf } from "./Color.ts"

/** Waits for the post's end, with a line for each target while somebody watches, and answers with the post. */
export const watch = async (client: Carillon, { id }: Post, output: Output): Promise<Post> => {
  const accounts = await client.accounts.list({ limit: 200 })
  const usernames = new Map(accounts.data.map((account) => [account.id, account.username]))
  const lines = await output.live()
  const reported = new Set<string>()
  let latest: Post | undefined
  const draw = () =>
    latest !== undefined &&
    lines?.draw(() => latest!.results.map((one) => line(one, latest!, usernames)), true)
  const onUpdate = (post: Post) => {
    latest = post
    if (lines !== undefined) return draw()
    for (const result of post.results.filter((one) => isSettled(one) && !reported.has(one.id))) {
      reported.add(result.id)
      output.note(describeResult(result, usernames.get(result.social_account_id)))
    }
  }
  const everySecond = lines === undefined ? undefined : setInterval(draw, 1000)
  const interrupted = () => stop(id, lines, output)
  process.once("SIGINT", interrupted)
  try {
    return await client.posts.waitUntilPublished(id, { onUpdate }).catch((error) => {
      if (error instanceof PublishFailedError) return error.post
      throw error
    })
  } finally {
    clearInterval(everySecond)
    process.removeListener("SIGINT", interrupted)
  }
}

/** Prints the post that was waited for; fails unless it is live on all of its accounts. */
export const report = (post: Post, output: Output): void => {
  const { rejected = 0 } = post.progress
  const published = post.results.filter(({ status }) => status === "published").length - rejected
  const missing = post.progress.failed_items ?? 0
  const broken =
    missing === 0 ? "" : `; ${count(missing, "thread item")} ${missing === 1 ? "is" : "are"} missing`
  const outcome = `Post ${post.id} is live on ${published} of ${count(post.results.length, post.results.some(({ board_id }) => board_id !== null) ? "target" : "account")}${broken}.`
  output.result(post, () => [outcome, ...post.results.flatMap(describeItems)].join("\n"))
  if (published < post.results.length || missing > 0) {
    const why = `See why with: carillon results --post ${post.id}`
    throw new CliError(
      exitCodes.someFailed,
      outcome,
      published + rejected === post.results.length && missing === 0
        ? why
        : `${why}; retry with: carillon posts retry ${post.id}`
    )
  }
}

const isSettled = ({ status }: PostResult) => status !== "waiting" && status !== "publishing"

const line = (result: PostResult, post: Post, usernames: ReadonlyMap<number, string>): string => {
  const ahead = Date.parse(result.next_attempt_at ?? post.scheduled_at ?? "") - Date.now()
  const when = result.status === "waiting" && ahead > 0 ? `, in ${duration(ahead)}` : ""
  const sign = result.status === "published" ? "+" : isSettled(result) ? "!" : "."
  return `${color(toneOf(result.status), sign)} ${describeResult(result, usernames.get(result.social_account_id))}${when}`
}

const stop = (id: string, lines: LiveLines | undefined, output: Output): never => {
  lines?.clear()
  output.note(`Post ${id} continues in the background. Follow it with: carillon posts show ${id}`)
  process.exit(130)
}
