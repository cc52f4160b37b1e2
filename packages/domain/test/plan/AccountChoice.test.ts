import { accountOf, type ChosenAccount, choicesOf } from "@carillon/domain/plan"
import { assert, describe, it } from "@effect/vitest"

const account = (
  id: number,
  platform: ChosenAccount["platform"],
  username: string,
  status = "connected"
): ChosenAccount => ({ id, platform, username, status })

const accounts = [
  account(1, "sandbox", "demo"),
  account(2, "bluesky", "demo"),
  account(3, "bluesky", "alice.bsky.social"),
  account(4, "bluesky", "gone.bsky.social", "disconnected"),
  account(5, "mastodon", "sandbox"),
  account(6, "mastodon", "instagram"),
  account(42, "threads", "7")
]

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
    ["@demo", false, '"@demo" matches several accounts: 1 (sandbox/@demo), 2 (bluesky/@demo)'],
    [
      "bluesky",
      false,
      '"bluesky" matches several accounts: 2 (bluesky/@demo), 3 (bluesky/@alice.bsky.social)'
    ],
    ["threads/@demo", true, 'no connected account matches "threads/@demo"'],
    ["instagram", true, 'no connected account matches "instagram"'],
    ["@nobody", true, 'no connected account matches "@nobody"'],
    ["@gone.bsky.social", true, 'no connected account matches "@gone.bsky.social"']
  ])("%s is not guessed", (to, isMissing, message) => {
    const error = (() => {
      try {
        return resolve(to)
      } catch (thrown) {
        return thrown as { isMissing: boolean; message: string }
      }
    })()
    assert.deepInclude(error, { isMissing })
    assert.include((error as { message: string }).message, message)
  })
})
