import type { SocialAccount } from "@carillon/sdk"

/** An account with the name that people call it by. */
export const withName = (account: SocialAccount) => ({ ...account, name: `@${account.username}` })
