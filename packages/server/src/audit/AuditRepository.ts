import {
  AuditAction,
  AuditActor,
  AuditEntry,
  type AuditFilter,
  AuditSubject,
  type Page,
  WorkspaceId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { countedAlone, countedPage } from "../sql/CountedPage.ts"
import { listFragments } from "../sql/ListFragments.ts"
import { Instant } from "../sql/Rows.ts"

const Row = Schema.Struct({
  id: AuditEntry.fields.id,
  at: Instant,
  actor: Schema.NullOr(AuditActor),
  action: AuditAction,
  subject: Schema.NullOr(AuditSubject),
  address: Schema.NullOr(Schema.String)
})

const NewRow = Schema.Struct({
  ...Row.fields,
  workspace_id: WorkspaceId,
  actor: Schema.NullOr(Schema.fromJsonString(AuditActor)),
  subject: Schema.NullOr(Schema.fromJsonString(AuditSubject))
})

const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

export class AuditRepository extends Context.Service<AuditRepository>()(
  "@carillon/server/audit/AuditRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { counted, number, slice } = listFragments(sql)

      /** Adds the names of things that are known by id only. */
      const insert = SqlSchema.void({
        Request: NewRow,
        execute: ({ id, workspace_id, at, actor, action, subject, address }) => sql`
        insert into audit_entries (id, workspace_id, at, action, actor, subject, address)
        select ${id}, ${workspace_id}, ${at}, ${action}, case when a ->> 'name' is not null then a else
          jsonb_set(a, '{name}', coalesce(to_jsonb(case a ->> 'type'
            when 'api_key' then (select name from api_keys where id = a ->> 'id')
            when 'app' then (select client_name from grants where id = a ->> 'id')
            when 'member' then (select name from members where id::text = a ->> 'id') end), 'null')) end,
          ${subject}::jsonb, ${address}
        from (select ${actor}::jsonb as a) a`
      })

      const list = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId,
        { action, actor, from, to }: AuditFilter,
        page: Page
      ) {
        const condition = sql.and([
          sql`workspace_id = ${workspaceId}`,
          ...(action ? [sql`action = any(${action}::text[])`] : []),
          ...(actor === undefined ? [] : [sql`actor ->> 'id' = ${actor}`]),
          ...(from ? [sql`at >= ${DateTime.toDateUtc(from)}`] : []),
          ...(to ? [sql`at <= ${DateTime.toDateUtc(to)}`] : [])
        ])
        const newest = sql`order by at desc, id desc`
        const rows = yield* counted(
          (atMost) => sql`(select 1 from audit_entries where ${condition} limit ${number(atMost)}) k`,
          countedAlone,
          sql`select id, at, actor, action, subject, address from audit_entries where ${condition} ${newest} ${slice(page)}`
        )
        const entries = yield* decode(rows.filter(({ id }) => id !== null))
        return countedPage(page, entries, Number(rows[0]!["counted"]), countedAlone)
      }, Effect.orDie)

      return {
        insert: (row: typeof NewRow.Type) => Effect.orDie(insert(row)),
        list,
        collect: (before: DateTime.Utc) =>
          Effect.orDie(Effect.asVoid(sql`delete from audit_entries where at < ${DateTime.toDateUtc(before)}`))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
