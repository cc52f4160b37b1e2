/**
 * Uploads a picture, schedules a post with it and waits until it is published.
 *
 *   export CARILLON_API_KEY=...   the service printed one when it was started for the first time
 *   node examples/schedule-a-post.ts
 */
import { Carillon } from "@carillon/sdk"
import { fileURLToPath } from "node:url"

const carillon = new Carillon()

const accounts = await carillon.accounts.list({ platform: "sandbox", status: "connected" })
const [account] = accounts.data
if (account === undefined)
  throw new Error("No account is connected to the test network; start the service with CARILLON_SANDBOX=on.")

const picture = await carillon.media.upload(fileURLToPath(new URL("./media/bells.jpg", import.meta.url)))

const post = await carillon.posts.create({
  social_accounts: [account.id],
  caption: "The evening bells.",
  media: [picture.id],
  scheduled_at: new Date(Date.now() + 10_000).toISOString()
})
console.log(`Scheduled ${post.id} for ${post.scheduled_at}`)

const published = await carillon.posts.waitUntilPublished(post.id, { timeout: 60_000 })
for (const { platform, platform_data } of published.results) {
  console.log(`Published on ${platform}: ${platform_data?.url}`)
}
