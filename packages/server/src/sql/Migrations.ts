import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import schema from "./migrations/0100_schema.ts"
import pendingConnections from "./migrations/0101_pending_connections.ts"
import costs from "./migrations/0102_costs.ts"
import demoAccounts from "./migrations/0103_demo_accounts.ts"
import grantedScopes from "./migrations/0104_granted_scopes.ts"
import reviews from "./migrations/0105_reviews.ts"
import approvals from "./migrations/0106_approvals.ts"
import sessions from "./migrations/0108_sessions.ts"
import listeners from "./migrations/0109_listeners.ts"
import notifications from "./migrations/0111_notifications.ts"
import members from "./migrations/0112_members.ts"
import secondFactor from "./migrations/0113_second_factor.ts"
import askers from "./migrations/0114_askers.ts"
import clientReviews from "./migrations/0115_client_reviews.ts"

/** Keys are `0100_name`; the number orders them, and one lower than the last that ran is skipped for ever. */
export type Migrations = Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>>

/** Every migration, forward only, one per file under `migrations/`. A number is never used twice. */
export const migrations = {
  "0100_schema": schema,
  "0101_pending_connections": pendingConnections,
  "0102_costs": costs,
  "0103_demo_accounts": demoAccounts,
  "0104_granted_scopes": grantedScopes,
  "0105_reviews": reviews,
  "0106_approvals": approvals,
  "0108_sessions": sessions,
  "0109_listeners": listeners,
  "0111_notifications": notifications,
  "0112_members": members,
  "0113_second_factor": secondFactor,
  "0114_askers": askers,
  "0115_client_reviews": clientReviews
} satisfies Migrations
