import { badRequest } from "@carillon/domain"
import { destinationsSentence } from "@carillon/server/accounts/Destinations"
import { destinationProblems, lacksDestination } from "@carillon/server/posts/Destinations"
import { assert, describe, it } from "@effect/vitest"

const content = {
  caption: "Hello",
  media: ["a"],
  platform_configurations: null,
  account_configurations: null
}

const bluesky = { id: 1, platform: "bluesky", username: "ada", default_board_id: null } as const
const boardless = { id: 2, platform: "pinterest", username: "ada", default_board_id: null } as const

describe("the destinations of an account", () => {
  it("have to be chosen where the platform wants one and there is no default", () => {
    const problems = destinationProblems(content, [
      bluesky,
      boardless,
      { ...boardless, id: 3, default_board_id: "default" }
    ])
    assert.deepStrictEqual(problems, [
      {
        path: "board_ids",
        code: "board_required",
        message:
          "Pinterest (@ada, account 2) has to be told a board: give board_ids, or choose the account's default board with PATCH /v1/social-accounts/2.",
        account_id: 2,
        platform: "pinterest"
      }
    ])
    assert.isTrue(lacksDestination(badRequest(problems)))
    assert.isFalse(lacksDestination(badRequest([{ path: "", code: "empty_post", message: "Empty." }])))
  })

  it("are listed in the platform's words, thirty at most", () => {
    const boards = Array.from({ length: 32 }, (_, index) => ({ id: `b${index}`, name: `Board ${index}` }))
    assert.strictEqual(
      destinationsSentence("pinterest", boards.slice(0, 2)),
      "Its boards: b0 (Board 0), b1 (Board 1)."
    )
    assert.match(destinationsSentence("pinterest", boards), /b29 \(Board 29\), and 2 more\.$/)
    assert.strictEqual(destinationsSentence("pinterest", []), "It has no boards.")
    assert.strictEqual(
      destinationsSentence("pinterest", null),
      "Pinterest could not be asked which there are."
    )
    assert.strictEqual(destinationsSentence("bluesky", []), "It has no boards.")
  })
})
