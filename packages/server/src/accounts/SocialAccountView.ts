import { type SocialAccount, SocialAccountId } from "@carillon/domain"
import type { SocialAccountRow } from "./SocialAccountRepository.ts"

export const toSocialAccount = ({ workspace_id, remote_id, ...row }: SocialAccountRow): SocialAccount => ({
  ...row,
  id: SocialAccountId.make(row.id),
  needs_reconnect: row.status === "needs_reconnect"
})
