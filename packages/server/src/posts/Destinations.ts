import { BadRequest, type Content, type ProblemItem, resolveContent, targetBoards } from "@carillon/domain"
import type { SocialAccountRow } from "../accounts/SocialAccountRepository.ts"

type Account = Pick<SocialAccountRow, "id" | "platform" | "username" | "default_board_id">

/** Where in an account a post goes, a target each: its boards on Pinterest, null on all other platforms. */
export const destinationsOf = (content: Content, account: Account): ReadonlyArray<string | null> =>
  targetBoards(account, resolveContent(content, account.platform, account.id).options)

export const destinationProblems = (
  content: Content,
  accounts: ReadonlyArray<Account>
): ReadonlyArray<ProblemItem> =>
  accounts.flatMap((account) =>
    destinationsOf(content, account).length > 0
      ? []
      : [
          {
            path: resolveContent(content, account.platform, account.id).optionPath("board_ids"),
            code: "board_required",
            message: `Pinterest (@${account.username}, account ${account.id}) has to be told a board: give board_ids, or choose the account's default board with PATCH /v1/social-accounts/${account.id}.`,
            account_id: account.id,
            platform: account.platform
          }
        ]
  )

export const lacksDestination = (failure: unknown): failure is BadRequest =>
  failure instanceof BadRequest && failure.errors.some(({ code }) => code === "board_required")
