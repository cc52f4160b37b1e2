// JavaScript without a build step: Node, Bun or Deno run it as it is.
//
//   node examples/plain-javascript.mjs
import { Carillon, CarillonError } from "@carillon/sdk"

const carillon = new Carillon()

try {
  const accounts = await carillon.accounts.list({ platform: "sandbox", status: "connected" })
  const post = await carillon.posts.create({
    social_accounts: accounts.data.slice(0, 1).map(({ id }) => id),
    caption: "Bells, in plain JavaScript."
  })
  const { results } = await carillon.posts.waitUntilPublished(post.id, { timeout: 60_000 })
  console.log(`Published: ${results[0].platform_data.url}`)
} catch (error) {
  if (!(error instanceof CarillonError)) throw error
  // The message says what to do. The operator of the service can look for the request id.
  console.error(`${error.message} (${error.code}, request ${error.requestId})`)
  process.exitCode = 1
}
