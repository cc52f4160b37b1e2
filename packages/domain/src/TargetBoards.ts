import type { PlatformId } from "./Platform.ts"

/**
 * The boards that a post goes to, a target each: those of its options, else the account's default. On other platforms
 * the one target has none. Empty: there is no board to go to.
 */
export const targetBoards = (
  account: { readonly platform: PlatformId; readonly default_board_id: string | null },
  options: { readonly [name: string]: unknown }
): ReadonlyArray<string | null> => {
  if (account.platform !== "pinterest") return [null]
  const { board_ids } = options
  if (Array.isArray(board_ids) && board_ids.length > 0) return board_ids.map(String)
  return account.default_board_id === null ? [] : [account.default_board_id]
}
