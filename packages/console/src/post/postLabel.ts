import type { CalendarPost } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"
import { accountNames } from "./accountNames.ts"
import { words } from "./en.ts"
import { stateOf } from "./PostState.ts"

/** What a screen reader says of a post besides its text. */
export const postLabel = (row: CalendarPost, accounts: Accounts) =>
  [
    words.states[stateOf(row)],
    accountNames(row.social_accounts, accounts),
    row.media_count > 0 ? words.withMedia : "",
    row.thread_count === undefined ? "" : words.thread(row.thread_count + 1)
  ]
    .filter((part) => part !== "")
    .join(", ")
