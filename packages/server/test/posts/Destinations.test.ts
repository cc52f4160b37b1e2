import { badRequest, SocialAccountId } from "@carillon/domain"
import { destinationProblems, destinationsOf, lacksDestination } from "@carillon/server/posts/Destinations"
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

const bluesky = { id: 1, platform: "bluesky", username: "ada", default_board_id: null } as const
const pinterest = { id: 2, platform: "pinterest", username: "ada", default_board_id: "default" } as const
const boardless = { ...pinterest, default_board_id: null }

describe("the destinations of an account", () => {
  it("are the account itself where the platform has no boards", () => {
    assert.deepStrictEqual(destinationsOf(content, bluesky), [null])
    assert.deepStrictEqual(destinationProblems(content, [bluesky]), [])
  })

  it("are the boards of the post, else the account's default", () => {
    assert.deepStrictEqual(destinationsOf(withBoards(2), pinterest), ["x", "y"])
    assert.deepStrictEqual(destinationsOf(withBoards(3), pinterest), ["default"])
    assert.deepStrictEqual(destinationsOf(content, pinterest), ["default"])
    assert.deepStrictEqual(destinationProblems(withBoards(2), [boardless]), [])
  })

  it("have to be chosen where there is none", () => {
    const problems = destinationProblems(content, [bluesky, boardless])
    assert.deepStrictEqual(
      problems.map(({ code, account_id, platform }) => [code, account_id, platform]),
      [["board_required", 2, "pinterest"]]
    )
    assert.isTrue(lacksDestination(badRequest(problems)))
    assert.isFalse(lacksDestination(badRequest([{ path: "", code: "empty_post", message: "Empty." }])))
  })
})
