import type { Post } from "@carillon/sdk"
import { type Form, ownOf, withOwn } from "./Form.ts"

/** A failed result that the post repairs, and its account. */
export interface Failure {
  readonly result: string
  readonly account: number
  readonly board: string | null
}

/** The failures that a copy of a post repairs: the named one, then one for each other account that it goes to. */
export const failuresOf = (
  { results }: Pick<Post, "results">,
  named: string,
  accounts: ReadonlyArray<number>
): ReadonlyArray<Failure> => {
  const failed = results
    .filter(
      ({ id, open_repair, repaired_by, social_account_id, status }) =>
        status === "failed" &&
        accounts.includes(social_account_id) &&
        (id === named || (open_repair ?? repaired_by) === undefined)
    )
    .toSorted((one, other) => Number(other.id === named) - Number(one.id === named))
  const first = new Map(failed.toReversed().map((one) => [one.social_account_id, one]))
  return failed
    .filter((one) => first.get(one.social_account_id) === one)
    .map(({ board_id, id, social_account_id }) => ({
      result: id,
      account: social_account_id,
      board: board_id
    }))
}

/** The failures that a stored post repairs. */
export const failuresBefore = ({ results }: Pick<Post, "results">): ReadonlyArray<Failure> =>
  results.flatMap(({ board_id, repairs, social_account_id }) =>
    repairs === undefined ? [] : [{ result: repairs, account: social_account_id, board: board_id }]
  )

/** A repair goes only to the boards that failed. */
export const onBoards = (form: Form, failures: ReadonlyArray<Failure>): Form =>
  failures.reduce((before, { account, board }) => {
    if (board === null) return before
    const own = ownOf(before, account)
    return withOwn(before, account, { ...own, options: { ...own.options, board_ids: [board] } })
  }, form)
