import type { EventType } from "@carillon/domain"
import type { SqlClient, Statement } from "effect/sql"

/** Part of a statement: whether someone asks for events of any of these types in that workspace. */
export const isWanted = (
  sql: SqlClient.SqlClient,
  workspaceId: Statement.Fragment,
  types: ReadonlyArray<EventType>,
  now: Date
) => sql`(
  exists (select 1 from webhooks w where w.workspace_id = ${workspaceId} and w.events && ${types}::text[])
  or exists (select 1 from listeners l where l.workspace_id = ${workspaceId} and l.until > ${now}))`
