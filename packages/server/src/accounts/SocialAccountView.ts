import { type SocialAccount, SocialAccountId } from "@carillon/domain"
import { Effect } from "effect"
import type { SignedUrls } from "../media/SignedUrls.ts"
import type { SocialAccountRow } from "./SocialAccountRepository.ts"

export const toSocialAccount = (
  urls: SignedUrls["Service"],
  { workspace_id, remote_id, avatar_version, ...row }: SocialAccountRow
): Effect.Effect<SocialAccount> =>
  Effect.map(
    avatar_version === null ? Effect.succeed(null) : urls.avatar(row.id, avatar_version),
    (avatar_url) => ({
      ...row,
      avatar_url,
      id: SocialAccountId.make(row.id),
      needs_reconnect: row.status === "needs_reconnect"
    })
  )
