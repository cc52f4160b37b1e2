import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import first from "./migrations/0001_first.ts"
import idempotencyKeys from "./migrations/0002_idempotency_keys.ts"
import mediaImports from "./migrations/0003_media_imports.ts"
import queue from "./migrations/0004_queue.ts"
import events from "./migrations/0005_events.ts"
import engine from "./migrations/0008_engine.ts"
import lists from "./migrations/0009_lists.ts"
import tokenRefresh from "./migrations/0010_token_refresh.ts"
import connect from "./migrations/0011_connect.ts"
import platformQuotas from "./migrations/0013_platform_quotas.ts"
import enginePlans from "./migrations/0018_engine_plans.ts"
import engineWrites from "./migrations/0019_engine_writes.ts"
import mediaLists from "./migrations/0020_media_lists.ts"
import members from "./migrations/0021_members.ts"
import oauth from "./migrations/0022_oauth.ts"
import boards from "./migrations/0023_boards.ts"
import deviceSignIn from "./migrations/0025_device_sign_in.ts"
import approvals from "./migrations/0026_approvals.ts"
import engineRoom from "./migrations/0027_engine_room.ts"
import holders from "./migrations/0028_holders.ts"
import limitedAdminKeys from "./migrations/0029_limited_admin_keys.ts"
import backupRuns from "./migrations/0037_backup_runs.ts"
import audit from "./migrations/0030_audit.ts"
import mediaUsage from "./migrations/0031_media_usage.ts"
import targetStates from "./migrations/0032_target_states.ts"
import holdersOfLoops from "./migrations/0033_holders_of_loops.ts"
import passwordGiven from "./migrations/0034_password_given.ts"
import altText from "./migrations/0035_alt_text.ts"
import createdBy from "./migrations/0036_created_by.ts"
import avatars from "./migrations/0038_avatars.ts"
import chains from "./migrations/0044_chains.ts"
import accountLimits from "./migrations/0046_account_limits.ts"
import brokenChains from "./migrations/0047_broken_chains.ts"
import deviceGeneration from "./migrations/0052_device_generation.ts"
import passwordSetAt from "./migrations/0048_password_set_at.ts"
import allowedClients from "./migrations/0053_allowed_clients.ts"
import reservedBy from "./migrations/0055_reserved_by.ts"
import publishedByAccount from "./migrations/0057_published_by_account.ts"
import failedTries from "./migrations/0056_failed_tries.ts"
import redirectAddresses from "./migrations/0051_redirect_addresses.ts"
import repairs from "./migrations/0049_repairs.ts"
import datedAt from "./migrations/0050_dated_at.ts"
import platformApps from "./migrations/0039_platform_apps.ts"
import defaultAudience from "./migrations/0040_default_audience.ts"
import updatedBy from "./migrations/0041_updated_by.ts"
import accessEnds from "./migrations/0042_access_ends.ts"
import dismissedResults from "./migrations/0043_dismissed_results.ts"
import mastodonApps from "./migrations/0045_mastodon_apps.ts"
import remotePosts from "./migrations/0054_remote_posts.ts"

/** Keys are `0001_name`; the number orders them, and one lower than the last that ran is skipped for ever. */
export type Migrations = Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>>

/** Every migration, forward only, one per file under `migrations/`. A number is never used twice. */
export const migrations = {
  "0001_first": first,
  "0002_idempotency_keys": idempotencyKeys,
  "0003_media_imports": mediaImports,
  "0004_queue": queue,
  "0005_events": events,
  "0008_engine": engine,
  "0009_lists": lists,
  "0010_token_refresh": tokenRefresh,
  "0011_connect": connect,
  "0013_platform_quotas": platformQuotas,
  "0018_engine_plans": enginePlans,
  "0019_engine_writes": engineWrites,
  "0020_media_lists": mediaLists,
  "0021_members": members,
  "0022_oauth": oauth,
  "0023_boards": boards,
  "0025_device_sign_in": deviceSignIn,
  "0026_approvals": approvals,
  "0027_engine_room": engineRoom,
  "0028_holders": holders,
  "0029_limited_admin_keys": limitedAdminKeys,
  "0030_audit": audit,
  "0031_media_usage": mediaUsage,
  "0032_target_states": targetStates,
  "0033_holders_of_loops": holdersOfLoops,
  "0034_password_given": passwordGiven,
  "0035_alt_text": altText,
  "0036_created_by": createdBy,
  "0037_backup_runs": backupRuns,
  "0038_avatars": avatars,
  "0039_platform_apps": platformApps,
  "0040_default_audience": defaultAudience,
  "0041_updated_by": updatedBy,
  "0042_access_ends": accessEnds,
  "0043_dismissed_results": dismissedResults,
  "0044_chains": chains,
  "0045_mastodon_apps": mastodonApps,
  "0046_account_limits": accountLimits,
  "0047_broken_chains": brokenChains,
  "0048_password_set_at": passwordSetAt,
  "0049_repairs": repairs,
  "0050_dated_at": datedAt,
  "0051_redirect_addresses": redirectAddresses,
  "0052_device_generation": deviceGeneration,
  "0053_allowed_clients": allowedClients,
  "0054_remote_posts": remotePosts,
  "0055_reserved_by": reservedBy,
  "0056_failed_tries": failedTries,
  "0057_published_by_account": publishedByAccount
} satisfies Migrations
