import type { SqlClient } from "effect/sql"

/** The role of a member `m` in a workspace, and their accounts there, from `memberships s`, which may have no row. */
export const membershipColumns = (sql: SqlClient.SqlClient) =>
  sql.literal(
    "case when m.role = 'owner' then 'owner' else s.role end as member_role, " +
      "case when m.role = 'owner' then null else s.social_accounts end as member_accounts"
  )
