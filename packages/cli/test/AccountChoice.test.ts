import type { SocialAccount } from "@carillon/sdk"
import { assert, describe, it } from "@effect/vitest"
import { accountOf, choicesOf, demoHints } from "@carillon/cli/AccountChoice"
import { exitCodes } from "@carillon/cli/CliError"

const account = (
  id: number,
  platform: SocialAccount["platform"],
  username: string,
  status: SocialAccount["status"] = "connected"
) => ({
  id,
  platform,
  username,
  display_name: null,
  avatar_url: null,
  network: "real" as const,
  demo: null,
  status,
  status_reason: null,
  warning: null,
  connected_at: "2026-11-21T09:00:00.000Z",
  needs_reconnect: false,
  token_expires_at: null,
  access_expires_at: null,
  default_board_id: null,
  default_privacy_level: null,
  limits: null,
  permissions: null
})

const accounts = [
  account(1, "sandbox", "demo"),
  account(2, "bluesky", "demo"),
  account(3, "bluesky", "alice.bsky.social"),
  account(4, "bluesky", "gone.bsky.social", "disconnected"),
  account(5, "mastodon", "sandbox"),
  account(6, "mastodon", "instagram"),
  account(42, "threads", "7")
]

describe("demo accounts", () => {
  it("a replaced one is named with the command that removes it, and no other is", () => {
    const demo = account(9, "tiktok", "tiktok-demo", "disconnected")
    const states = ["active", "replaced", "removed", null] as const
    const hints = demoHints(states.map((state) => ({ ...demo, demo: state })))
    assert.lengthOf(hints, 1)
    assert.match(hints[0]!, /^9 \(tiktok\/@tiktok-demo\) is a demo account.* carillon accounts disconnect 9$/)
  })
})

const resolve = (to: string) => [
  ...new Set(choicesOf([to]).map((choice) => accountOf(choice, accounts, "--to").id))
]

describe("the accounts of --to", () => {
  it.each([
    ["sandbox", [1]],
    ["42", [42]],
    ["42,sandbox, @alice.bsky.social", [42, 1, 3]],
    ["ALICE.bsky.social", [3]],
    ["@7", [42]],
    ["@sandbox", [5]],
    ["bluesky/@demo,sandbox/demo", [2, 1]],
    ["1,sandbox,1", [1]],
    ["threads", [42]]
  ])("%s are ids, handles or platforms, each once", (to, ids) => {
    assert.deepStrictEqual(resolve(to), ids)
  })

  it.each([
    ["@demo", exitCodes.usage, '"@demo" matches several accounts: 1 (sandbox/@demo), 2 (bluesky/@demo)'],
    [
      "bluesky",
      exitCodes.usage,
      '"bluesky" matches several accounts: 2 (bluesky/@demo), 3 (bluesky/@alice.bsky.social)'
    ],
    ["threads/@demo", exitCodes.notFound, 'no connected account matches "threads/@demo"'],
    ["instagram", exitCodes.notFound, 'no connected account matches "instagram"'],
    ["@nobody", exitCodes.notFound, 'no connected account matches "@nobody"'],
    ["@gone.bsky.social", exitCodes.notFound, 'no connected account matches "@gone.bsky.social"']
  ])("%s is not guessed", (to, exitCode, message) => {
    const error = (() => {
      try {
        return resolve(to)
      } catch (thrown) {
        return thrown as { exitCode: number; message: string }
      }
    })()
    assert.deepInclude(error, { exitCode })
    assert.include((error as { message: string }).message, message)
  })
})
