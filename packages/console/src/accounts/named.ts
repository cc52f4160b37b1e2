import type { SocialAccount } from "@carillon/sdk"
import type { Account } from "./useAccounts.ts"

/** An account with the name that people call it by. */
export const named = (account: SocialAccount): Account => ({ ...account, name: `@${account.username}` })
