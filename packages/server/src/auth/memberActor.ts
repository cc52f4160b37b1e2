import type { CurrentActor } from "@carillon/domain"
import type { MemberWorkspace } from "./MemberRepository.ts"

/** A member in one of their workspaces. */
export const memberActor = ({ id, timezone }: MemberWorkspace): CurrentActor["Service"] => ({
  workspace_id: id,
  timezone,
  key_id: null,
  grant: null,
  scopes: ["accounts:read", "posts:publish", "media:read"],
  social_accounts: null
})
