import {
  type Content,
  destinationsOf,
  type PlatformId,
  platformRules,
  resolveContent,
  TargetId
} from "@carillon/domain"
import { DateTime, Duration } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SocialAccountRow } from "../accounts/SocialAccountRepository.ts"
import { claimLead } from "../publishing/Publish.ts"
import type { NewTarget } from "./NewTarget.ts"
import type { PostRow } from "./PostColumns.ts"
import type { TargetRow } from "./TargetColumns.ts"
import type { When } from "./PostTimes.ts"

/** One target for each destination of each account. `ahead`: how early a platform wants to begin; `cost`: what it charges. */
export const newTargets = (
  content: Content,
  accounts: ReadonlyArray<SocialAccountRow>,
  when: When,
  now: DateTime.Utc,
  {
    ahead,
    cost
  }: {
    readonly ahead: (platform: PlatformId, hasMedia: boolean) => Duration.Duration
    readonly cost: (account: SocialAccountRow) => number | null
  }
): ReadonlyArray<NewTarget> => {
  const dueAt = when._tag === "now" ? now : when._tag === "at" ? when.instant : null
  return accounts.flatMap((account) => {
    const { media, thread } = resolveContent(content, account.platform, account.id)
    const hasMedia = media.length > 0 || thread.some((item) => item.media.length > 0)
    const lead = Duration.max(ahead(account.platform, hasMedia), claimLead)
    return destinations(destinationsOf(content, account), when).map((destination) => ({
      id: TargetId.make(SecureRandom.uuidV7Unsafe()),
      social_account_id: account.id,
      platform: account.platform,
      account_connected: account.status === "connected",
      board_id: destination,
      state: dueAt === null ? "draft" : "waiting",
      due_at: dueAt,
      next_step_at: dueAt === null ? null : DateTime.max(now, DateTime.subtractDuration(dueAt, lead)),
      lead: Duration.toMillis(lead),
      cost: cost(account),
      item_count:
        thread.length === 0 || platformRules[account.platform].chains === undefined ? null : thread.length + 1
    }))
  })
}

/** A draft may name a destination twice, none at all, or by what no destination is called. */
const destinations = (named: ReadonlyArray<string | null>, { _tag }: When) => {
  if (_tag !== "draft") return named
  const possible = new Set(named.filter((one) => one === null || one.length <= longestDestination))
  return possible.size === 0 ? [null] : [...possible]
}

/** As long as the options let one be. */
const longestDestination = 100

/** A target that has just been inserted, as it would be read back. */
export const insertedTarget = (
  { id, approval, repairs }: Pick<PostRow, "id" | "approval" | "repairs">,
  { cost: _, lead: __, ...target }: NewTarget
): TargetRow => ({
  ...target,
  post_id: id,
  attempts: 0,
  error: null,
  waiting_for:
    target.state === "draft"
      ? approval?.status === "waiting"
        ? "approval"
        : "person"
      : target.account_connected
        ? "time"
        : "account",
  items: [],
  repairs:
    repairs?.find(({ social_account_id: account }) => account === target.social_account_id)?.target_id ??
    null,
  repair: null,
  platform_data: null,
  published_at: null
})
