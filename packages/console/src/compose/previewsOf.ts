import { platformRules } from "@carillon/domain"
import type { Account } from "../data/accounts.ts"
import type { Form } from "./Form.ts"
import { resolvedFor } from "./resolvedFor.ts"

/** What each account gets of a post. */
export const previewsOf = (form: Form, accounts: ReadonlyArray<Account>) =>
  accounts.map((account) => {
    const { caption, media, options, thread } = resolvedFor(form, account)
    const hasThreads = platformRules[account.platform].chains !== undefined
    return { account, caption, media, options, following: hasThreads ? thread : [] }
  })
