import type { CalendarPost } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"
import { networkName } from "../data/networkName.ts"
import { words } from "./en.ts"
import { stateOf } from "./PostState.ts"

/** What a screen reader says of a post besides its text. */
export const postLabel = (row: CalendarPost, accounts: Accounts) =>
  [
    words.states[stateOf(row)],
    ...row.social_accounts.flatMap((id) => {
      const account = accounts.get(id)
      return account === undefined ? [] : `${networkName(account)} ${account.name}`
    }),
    ...(row.media_count > 0 ? [words.withMedia] : []),
    ...(row.thread_count === undefined ? [] : [words.thread(row.thread_count + 1)])
  ].join(", ")
