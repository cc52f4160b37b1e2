import { type Carillon, type Post, type PostResult, PublishFailedError } from "@carillon/sdk"
import { CliError, exitCodes } from "./CliError.ts"
import type { Output } from "./Output.ts"
import { describeResult } from "./PostText.ts"
import { count } from "./Text.ts"

/** Waits for the post's end and prints a line for each target when that has come to its own. */
export const watch = async (client: Carillon, { id }: Post, output: Output) => {
  const accounts = await client.accounts.list({ limit: 200 })
  const usernames = new Map(accounts.data.map((account) => [account.id, account.username]))
  const told = new Set<string>()
  const onUpdate = (post: Post) => {
    for (const result of post.results.filter((one) => isSettled(one) && !told.has(one.id))) {
      told.add(result.id)
      output.line(describeResult(result, usernames.get(result.social_account_id)))
    }
  }
  const post = await client.posts.waitUntilPublished(id, { onUpdate }).catch((error) => {
    if (error instanceof PublishFailedError) return error.post
    throw error
  })

  const published = post.results.filter(({ status }) => status === "published").length
  const outcome = `Post ${id} is on ${published} of ${count(post.results.length, "account")}.`
  output.result(post, () => outcome)
  if (published < post.results.length) {
    throw new CliError(exitCodes.someFailed, outcome, `See why with: carillon results --post ${id}`)
  }
}

const isSettled = ({ status }: PostResult) => status !== "waiting" && status !== "publishing"
