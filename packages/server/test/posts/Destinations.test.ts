import { badRequest } from "@carillon/domain"
import { destinationsSentence } from "@carillon/server/accounts/Destinations"
import {
  destinationProblems,
  lacksDestination,
  withDestinationIds
} from "@carillon/server/posts/Destinations"
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
  it("the destinations of an account have to be chosen where the platform wants one and there is no default", () => {
    const problems = destinationProblems(content, [
      bluesky,
      boardless,
      { ...boardless, id: 3, default_board_id: "default" }
    ])
    const sentence = "needs a board: give board_ids, or choose a default board for the account."
    assert.deepStrictEqual(problems, [
      {
        path: "board_ids",
        code: "board_required",
        message: `Pinterest (@ada, account 2) ${sentence}`,
        sentence,
        account_id: 2,
        platform: "pinterest"
      }
    ])
    assert.isTrue(lacksDestination(badRequest(problems)))
    assert.isFalse(lacksDestination(badRequest([{ path: "", code: "empty_post", message: "Empty." }])))
  })

  it("the destinations of an account are stored by their ids, for each account its own where the same name means different ones", () => {
    const named = { ...content, platform_configurations: { pinterest: { title: "T", board_ids: ["Ideas"] } } }
    const other = { ...boardless, id: 3, username: "bob" }
    const board = (id: string) => [{ id, name: "Ideas" }]
    const resolved = (offered: ReadonlyMap<number, ReturnType<typeof board> | null>) =>
      withDestinationIds(named, [bluesky, boardless, other], offered)

    const alike = resolved(new Map([2, 3].map((id) => [id, board("i")])))
    assert.deepStrictEqual(alike.content.platform_configurations, {
      pinterest: { title: "T", board_ids: ["i"] }
    })
    assert.isNull(alike.content.account_configurations)

    const { content: own, warnings } = resolved(
      new Map([
        [2, board("i")],
        [3, null]
      ])
    )
    assert.deepStrictEqual(own.platform_configurations, named.platform_configurations)
    assert.deepStrictEqual<unknown>(own.account_configurations, [
      { account_id: 2, board_ids: ["i"] },
      { account_id: 3, board_ids: ["Ideas"] }
    ])
    assert.deepStrictEqual(warnings, [
      'Pinterest (account 3) could not be asked for its boards, so "Ideas" is used as an id.'
    ])
  })

  it("the destinations of an account cannot be told from each other by a name that two of them have", () => {
    const named = { ...content, platform_configurations: { pinterest: { board_ids: ["ideas", "IDEAS"] } } }
    const boards = [
      { id: "1", name: "Ideas" },
      { id: "2", name: "IDEAS" }
    ]
    const { problems } = withDestinationIds(named, [boardless], new Map([[2, boards]]))
    assert.deepStrictEqual(
      problems.map(({ path, code, message }) => [path, code, message]),
      [
        [
          "platform_configurations.pinterest.board_ids[0]",
          "destination_not_found",
          'Pinterest (@ada, account 2) has 2 boards called "ideas"; use the id of the one that you mean. Its boards: 1 (Ideas), 2 (IDEAS).'
        ]
      ]
    )
  })

  it("the destinations of an account are listed in the platform's words, thirty at most", () => {
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
