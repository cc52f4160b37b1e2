import { AuditActor, PendingConnectionId, PlatformId, WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant, Int8, int8s } from "../sql/Rows.ts"

export const Connection = Schema.Struct({
  id: PendingConnectionId,
  workspace_id: WorkspaceId,
  platform: PlatformId,
  login: Schema.String,
  redirect_url: Schema.NullOr(Schema.String),
  secrets: Schema.NullOr(Schema.Uint8Array),
  redirect_uri: Schema.String,
  begun_by: AuditActor,
  reconnects: Schema.NullOr(Int8),
  offer_others: Schema.Boolean
})
export interface Connection extends Schema.Schema.Type<typeof Connection> {}

const Invitation = Schema.Struct({
  ...Connection.fields,
  workspace_name: Schema.String,
  /** Of the member, key or app that began it; null: the instance, or a key that is gone. */
  inviter_name: Schema.NullOr(Schema.String)
})
export interface Invitation extends Schema.Schema.Type<typeof Invitation> {}

const Step = Schema.Literals(["open", "started", "choosing", "ended"])

const Pending = Schema.Struct({
  ...Connection.fields,
  step: Step,
  expires_at: Instant,
  connected: Schema.NullOr(Schema.Array(Int8))
})
export interface Pending extends Schema.Schema.Type<typeof Pending> {}

const NewConnection = Schema.Struct({
  ...Connection.fields,
  begun_by: Schema.fromJsonString(AuditActor),
  ticket_hash: Schema.Uint8Array,
  expires_at: Instant
})

const Ticket = Schema.Struct({
  step: Schema.Literals(["open", "started", "choosing"]),
  ticket_hash: Schema.Uint8Array,
  /** null: any browser. */
  browser_hash: Schema.NullOr(Schema.Uint8Array),
  now: Instant
})

const Next = Schema.Struct({
  id: PendingConnectionId,
  step: Schema.Literals(["started", "choosing"]),
  ticket_hash: Schema.Uint8Array,
  browser_hash: Schema.Uint8Array,
  secrets: Schema.Uint8Array,
  expires_at: Instant
})

const Sought = Schema.Struct({
  id: PendingConnectionId,
  workspace_id: WorkspaceId,
  begun_by: Schema.fromJsonString(AuditActor),
  now: Instant
})

export class ConnectRepository extends Context.Service<ConnectRepository>()(
  "@carillon/server/accounts/ConnectRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        "id, workspace_id, platform, login, redirect_url, secrets, redirect_uri, begun_by, reconnects, offer_others"
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

      const at = ({ step, ticket_hash, browser_hash, now }: typeof Ticket.Encoded) => sql`
        ticket_hash = ${ticket_hash} and step = ${step} and expires_at > ${now}
          and (${browser_hash}::bytea is null or browser_hash = ${browser_hash}::bytea)`

      /** Ends this ticket's step, so that it works once. */
      const take = SqlSchema.findOneOption({
        Request: Ticket,
        Result: Connection,
        execute: (ticket) => sql`
          update account_connections set step = 'ended' where ${at(ticket)} returning ${columns}`
      })

      const look = SqlSchema.findOneOption({
        Request: Ticket,
        Result: Connection,
        execute: (ticket) => sql`select ${columns} from account_connections where ${at(ticket)}`
      })

      const advance = SqlSchema.void({
        Request: Next,
        execute: ({ id, ...next }) => sql`update account_connections set ${sql.update(next)} where id = ${id}`
      })

      /** Of the credential that began it. One that has ended without an account is gone; with secrets, its code is being exchanged. */
      const pending = SqlSchema.findOneOption({
        Request: Sought,
        Result: Pending,
        execute: ({ id, workspace_id, begun_by, now }) => sql`
          select ${columns}, step, expires_at, connected from account_connections
          where id = ${id} and workspace_id = ${workspace_id} and expires_at > ${now}
            and begun_by - 'name' = ${begun_by}::jsonb - 'name'
            and (step <> 'ended' or connected is not null or secrets is not null)`
      })

      /** Ends a connection and forgets what its sign-in gave; false: another request has ended it. */
      const end = Effect.fnUntraced(function* (id: PendingConnectionId) {
        const rows = yield* sql`
          update account_connections set step = 'ended', secrets = null
          where id = ${id} and secrets is not null returning id`
        return rows.length > 0
      }, Effect.orDie)

      const keepConnected = (id: PendingConnectionId, accounts: ReadonlyArray<number>) =>
        sql`update account_connections set connected = ${int8s(accounts)}::bigint[] where id = ${id}`

      const collect = (now: DateTime.Utc) =>
        sql`delete from account_connections where expires_at <= ${DateTime.toDateUtc(now)}`

      return {
        insert: (connection: typeof NewConnection.Type) => Effect.orDie(insert(connection)),
        invitation: (ticket_hash: Uint8Array, now: DateTime.Utc) =>
          Effect.orDie(invitation({ ticket_hash, now })),
        take: (ticket: typeof Ticket.Type) => Effect.orDie(take(ticket)),
        look: (ticket: typeof Ticket.Type) => Effect.orDie(look(ticket)),
        advance: (next: typeof Next.Type) => Effect.orDie(advance(next)),
        pending: (sought: typeof Sought.Type) => Effect.orDie(pending(sought)),
        end,
        keepConnected: (id: PendingConnectionId, accounts: ReadonlyArray<number>) =>
          Effect.asVoid(Effect.orDie(keepConnected(id, accounts))),
        collect: (now: DateTime.Utc) => Effect.asVoid(Effect.orDie(collect(now)))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
