import { destinationsOf, SocialAccountId } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"

const content = {
  caption: "Hello",
  media: ["a"],
  platform_configurations: null,
  account_configurations: null
}

/** The post with boards for this account alone. */
const withBoards = (id: number) => ({
  ...content,
  account_configurations: [{ account_id: SocialAccountId.make(id), board_ids: ["x", "y"] }]
})

const bluesky = { id: 1, platform: "bluesky", default_board_id: null } as const
const pinterest = { id: 2, platform: "pinterest", default_board_id: "default" } as const

describe("the destinations of an account", () => {
  it("the destinations of an account are the account itself where the platform has none", () => {
    assert.deepStrictEqual(destinationsOf(content, bluesky), [null])
  })

  it("the destinations of an account are those that the post names, else the account's default", () => {
    assert.deepStrictEqual(destinationsOf(withBoards(2), pinterest), ["x", "y"])
    assert.deepStrictEqual(destinationsOf(withBoards(3), pinterest), ["default"])
    assert.deepStrictEqual(destinationsOf(content, pinterest), ["default"])
  })

  it("the destinations of an account are none where the platform wants one and nothing is chosen", () => {
    assert.deepStrictEqual(destinationsOf(content, { ...pinterest, default_board_id: null }), [])
  })
})
