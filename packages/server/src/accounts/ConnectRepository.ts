import { AuditActor, PlatformId, WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant } from "../sql/Rows.ts"

export const Connection = Schema.Struct({
  id: Schema.String,
  workspace_id: WorkspaceId,
  platform: PlatformId,
  login: Schema.String,
  redirect_url: Schema.NullOr(Schema.String),
  secrets: Schema.NullOr(Schema.Uint8Array),
  redirect_uri: Schema.String,
  begun_by: AuditActor
})
const Invitation = Schema.Struct({
  ...Connection.fields,
  workspace_name: Schema.String,
  /** Of the member, key or app that began it; null: the instance, or a key that is gone. */
  inviter_name: Schema.NullOr(Schema.String)
})
export interface Invitation extends Schema.Schema.Type<typeof Invitation> {}

export interface Connection extends Schema.Schema.Type<typeof Connection> {}

const NewConnection = Schema.Struct({
  ...Connection.fields,
  begun_by: Schema.fromJsonString(AuditActor),
  ticket_hash: Schema.Uint8Array,
  expires_at: Instant
})

const Taken = Schema.Struct({
  steps: Schema.Array(Schema.Literals(["open", "started", "choosing"])),
  ticket_hash: Schema.Uint8Array,
  /** null: any browser. */
  browser_hash: Schema.NullOr(Schema.Uint8Array),
  now: Instant
})

const Next = Schema.Struct({
  id: Schema.String,
  step: Schema.Literals(["started", "choosing"]),
  ticket_hash: Schema.Uint8Array,
  browser_hash: Schema.Uint8Array,
  secrets: Schema.Uint8Array,
  expires_at: Instant
})

export class ConnectRepository extends Context.Service<ConnectRepository>()(
  "@carillon/server/accounts/ConnectRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        "id, workspace_id, platform, login, redirect_url, secrets, redirect_uri, begun_by"
      )

      const insert = SqlSchema.void({
        Request: NewConnection,
        execute: (connection) =>
          sql`insert into account_connections ${sql.insert({ ...connection, step: "open" })}`
      })

      /** What a link that nobody has followed is about. */
      const invitation = SqlSchema.findOneOption({
        Request: Schema.Struct({ ticket_hash: Schema.Uint8Array, now: Instant }),
        Result: Invitation,
        execute: ({ ticket_hash, now }) => sql`
          select c.*, w.name as workspace_name, coalesce(c.begun_by ->> 'name', k.name) as inviter_name
          from (select ${columns} from account_connections
            where ticket_hash = ${ticket_hash} and step = 'open' and expires_at > ${now}) c
          join workspaces w on w.id = c.workspace_id
          left join api_keys k on c.begun_by ->> 'type' = 'api_key' and k.id = c.begun_by ->> 'id'`
      })

      /** Ends this ticket's step, so that it works once. */
      const take = SqlSchema.findOneOption({
        Request: Taken,
        Result: Connection,
        execute: ({ steps, ticket_hash, browser_hash, now }) => sql`
          update account_connections set step = 'ended'
          where ticket_hash = ${ticket_hash} and step = any(${steps}::text[]) and expires_at > ${now}
            and (${browser_hash}::bytea is null or browser_hash = ${browser_hash}::bytea)
          returning ${columns}`
      })

      const advance = SqlSchema.void({
        Request: Next,
        execute: ({ id, ...next }) => sql`update account_connections set ${sql.update(next)} where id = ${id}`
      })

      const collect = (now: DateTime.Utc) =>
        sql`delete from account_connections where expires_at <= ${DateTime.toDateUtc(now)}`

      return {
        insert: (connection: typeof NewConnection.Type) => Effect.orDie(insert(connection)),
        invitation: (ticket_hash: Uint8Array, now: DateTime.Utc) =>
          Effect.orDie(invitation({ ticket_hash, now })),
        take: (ticket: typeof Taken.Type) => Effect.orDie(take(ticket)),
        advance: (next: typeof Next.Type) => Effect.orDie(advance(next)),
        collect: (now: DateTime.Utc) => Effect.asVoid(Effect.orDie(collect(now)))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
