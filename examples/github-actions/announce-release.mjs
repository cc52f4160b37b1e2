// The step of announce-release.yml: posts about the release on the accounts of ACCOUNTS (ids with commas), and waits.
import { Carillon } from "@carillon/sdk"
import { appendFile } from "node:fs/promises"

const { ACCOUNTS, GITHUB_RUN_ID, GITHUB_STEP_SUMMARY, LINK, RELEASE } = process.env

const carillon = new Carillon()

const { id, warnings } = await carillon.posts.create(
  { social_accounts: ACCOUNTS.split(",").map(Number), caption: `${RELEASE} is out: ${LINK}` },
  // A job that is run again does not announce again.
  { idempotencyKey: `announce-${GITHUB_RUN_ID}` }
)
for (const warning of warnings) console.log(`::warning::${warning}`)

const { results } = await carillon.posts.waitUntilPublished(id, { timeout: 10 * 60_000 })
const lines = results.map(
  ({ platform, platform_data, error }) => `- ${platform}: ${platform_data?.url ?? error?.message}`
)
console.log(lines.join("\n"))
if (GITHUB_STEP_SUMMARY) await appendFile(GITHUB_STEP_SUMMARY, `${lines.join("\n")}\n`)
