import { type Content, resolveContent } from "@carillon/domain"
import type { Account } from "../data/accounts.ts"
import { type Form, toDraft } from "./Form.ts"

/** The form as the domain's content. */
export const contentOf = (form: Form): Content => toDraft(form, "UTC") as unknown as Content

/** The content that an account gets, with its overrides applied. */
export const resolvedFor = (form: Form, { id, platform }: Pick<Account, "id" | "platform">) =>
  resolveContent(contentOf(form), platform, id)
