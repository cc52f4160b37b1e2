import {
  mediaIdsOf,
  type PostStatus,
  type Progress,
  warningsFor,
  type Access,
  seesAll
} from "@carillon/domain"
import type { DateTime } from "effect"
import { unfetchedItem } from "../media/imports/FetchWarning.ts"
import type { PostRow } from "./PostColumns.ts"

/** A summary of a post's targets that a credential sees. */
export interface SeenTargets {
  readonly progress: Progress
  readonly platforms: ReadonlyArray<string>
  readonly published_at: DateTime.Utc | null
}

/** The post as if it went only to the accounts that the credential sees (docs/decisions/0030-some-accounts-only.md). */
export const seenPost = (row: PostRow, access: Access, targets: SeenTargets): PostRow => {
  if (access === null) return row
  // One about an account that has left the post may be among them.
  if (seesAll(row, access)) return { ...row, warnings: warningsFor(row.warnings, row.social_accounts) }
  const social_accounts = row.social_accounts.filter((id) => access.includes(id))
  const platforms = Object.entries(row.platform_configurations ?? {}).filter(([platform]) =>
    targets.platforms.includes(platform)
  )
  const accounts = row.account_configurations?.filter(({ account_id }) => access.includes(account_id)) ?? []
  const seen = {
    ...row,
    status: row.status === "draft" ? "draft" : statusOf(targets),
    social_accounts,
    platform_configurations: platforms.length === 0 ? null : Object.fromEntries(platforms),
    account_configurations: accounts.length === 0 ? null : accounts,
    published_at: targets.published_at
  }
  const media: ReadonlyArray<string> = mediaIdsOf(seen)
  const isSeen = (warning: string) => {
    const item = unfetchedItem(warning)
    return item === undefined || media.includes(item)
  }
  return { ...seen, warnings: warningsFor(row.warnings, social_accounts).filter(isSeen) }
}

const statusOf = ({ progress, published_at }: SeenTargets): PostStatus =>
  progress.waiting + progress.publishing > 0
    ? "scheduled"
    : progress.published > 0 || published_at !== null
      ? "published"
      : "failed"
