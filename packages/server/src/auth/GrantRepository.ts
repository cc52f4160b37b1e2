import { Role, Scope, WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant, Int8 } from "../sql/Rows.ts"
import { commandLineClient } from "./CommandLineClient.ts"
import { hashId } from "../crypto/hashId.ts"
import { membershipColumns } from "./MembershipColumns.ts"

const kept = {
  id: Schema.String,
  member_id: Schema.String,
  workspace_id: WorkspaceId,
  client_id: Schema.String,
  client_name: Schema.String,
  /** null: the app showed a code. */
  redirect_uri: Schema.NullOr(Schema.String),
  audience: Schema.String,
  asked_scopes: Schema.Array(Scope),
  scopes: Schema.Array(Scope),
  social_accounts: Schema.NullOr(Schema.Array(Int8)),
  needs_approval: Schema.Boolean,
  created_at: Instant
}

const NewGrant = Schema.Struct(kept)
export interface NewGrant extends Schema.Schema.Type<typeof NewGrant> {}

const Grant = Schema.Struct({
  ...kept,
  workspace_name: Schema.String,
  last_used_at: Schema.NullOr(Instant),
  ended_at: Schema.NullOr(Instant),
  ended_because: Schema.NullOr(Schema.Literals(["person", "app", "reuse"])),
  /** Whether any token or code of it can still be used. */
  live: Schema.Boolean
})
export interface Grant extends Schema.Schema.Type<typeof Grant> {}

const Token = Schema.Struct({
  grant_id: Schema.String,
  member_id: Schema.String,
  /** Of the person and the app. */
  connection: Schema.String,
  client_name: Schema.String,
  audience: Schema.String,
  token_scope: Schema.NullOr(Schema.String),
  expires_at: Instant,
  asked_scopes: Schema.Array(Scope),
  scopes: Schema.Array(Scope),
  social_accounts: Schema.NullOr(Schema.Array(Int8)),
  needs_approval: Schema.Boolean,
  last_used_at: Schema.NullOr(Instant),
  workspace_id: WorkspaceId,
  timezone: Schema.String,
  /** Of the member who granted it, as they are now. */
  member_role: Role,
  member_accounts: Schema.NullOr(Schema.Array(Int8))
})
export interface Token extends Schema.Schema.Type<typeof Token> {}

/** The public facts of a grant. */
const Told = Schema.Struct({
  id: Schema.String,
  workspace_id: WorkspaceId,
  client_name: Schema.String,
  member_id: Schema.String
})
export interface Told extends Schema.Schema.Type<typeof Told> {}

const Changes = Schema.Struct({
  member_id: Schema.String,
  id: Schema.String,
  scopes: Schema.Array(Scope),
  social_accounts: Schema.NullOr(Schema.Array(Int8)),
  needs_approval: Schema.Boolean
})
export interface Changes extends Schema.Schema.Type<typeof Changes> {}

export class GrantRepository extends Context.Service<GrantRepository>()(
  "@carillon/server/auth/GrantRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const date = DateTime.toDateUtc
      const columns = sql.literal(
        "g.id, g.member_id, g.workspace_id, w.name as workspace_name, g.client_id, g.client_name, g.redirect_uri, " +
          "g.audience, g.asked_scopes, g.scopes, g.social_accounts, g.needs_approval, g.created_at, g.last_used_at, " +
          "g.ended_at, g.ended_because"
      )
      const told = sql.literal("id, workspace_id, client_name, member_id")
      const live = (now: Date) => sql`exists (
        select 1 from oauth_records r where r.grant_id = g.id and r.expires_at > ${now}
          and r.model in ('AuthorizationCode', 'DeviceCode', 'AccessToken', 'RefreshToken') and r.consumed_at is null) as live`

      const insert = SqlSchema.void({
        Request: NewGrant,
        execute: (grant) => sql`insert into grants ${sql.insert(grant)}`
      })

      const list = SqlSchema.findAll({
        Request: Schema.Struct({ member_id: Schema.String, now: Schema.DateTimeUtcFromDate }),
        Result: Grant,
        execute: ({ member_id, now }) => sql`
          select ${columns}, ${live(now)} from grants g join workspaces w on w.id = g.workspace_id
          where g.member_id = ${member_id} order by coalesce(g.last_used_at, g.created_at) desc, g.id limit 200`
      })

      const one = SqlSchema.findOneOption({
        Request: Schema.Struct({
          member_id: Schema.String,
          id: Schema.String,
          now: Schema.DateTimeUtcFromDate
        }),
        Result: Grant,
        execute: ({ member_id, id, now }) => sql`
          select ${columns}, ${live(now)} from grants g join workspaces w on w.id = g.workspace_id
          where g.member_id = ${member_id} and g.id = ${id}`
      })

      const token = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Token,
        execute: (value) => sql`
          select g.id as grant_id, g.member_id, left(encode(sha256(convert_to(g.member_id || ' ' || g.client_id, 'UTF8')), 'hex'), 32) as connection, g.client_name, r.payload ->> 'aud' as audience, r.payload ->> 'scope' as token_scope, r.expires_at,
            g.asked_scopes, g.scopes, g.social_accounts, g.needs_approval, g.last_used_at, g.workspace_id, w.timezone,
            ${membershipColumns(sql)}
          from oauth_records r join grants g on g.id = r.grant_id join workspaces w on w.id = g.workspace_id
            join members m on m.id = g.member_id
            left join memberships s on s.member_id = m.id and s.workspace_id = g.workspace_id
          where r.model = 'AccessToken' and r.id_hash = ${hashId(value)} and g.ended_at is null
            and (m.role = 'owner' or s.role is not null)`
      })

      const ofRefreshToken = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Schema.Struct({ scopes: Schema.Array(Scope) }),
        execute: (value) => sql`
          select g.scopes from oauth_records r join grants g on g.id = r.grant_id
          where r.model = 'RefreshToken' and r.id_hash = ${hashId(value)}`
      })

      const own = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Schema.Struct({
          name: Schema.String,
          member: Schema.String,
          expires_at: Schema.NullOr(Instant)
        }),
        execute: (id) => sql`
          select g.client_name as name, m.name as member, least(
            (select expires_at from oauth_records where model = 'Grant' and id_hash = ${hashId(id)}),
            (select max(expires_at) from oauth_records
              where grant_id = g.id and model in ('AccessToken', 'RefreshToken') and consumed_at is null)) as expires_at
          from grants g join members m on m.id = g.member_id where g.id = ${id}`
      })

      const change = SqlSchema.findOneOption({
        Request: Changes,
        Result: Schema.Struct({ audience: Schema.String, ...Told.fields }),
        execute: ({ member_id, id, scopes, social_accounts, needs_approval }) => sql`
          update grants set scopes = ${scopes}::text[], social_accounts = ${social_accounts}::bigint[],
            needs_approval = ${needs_approval}
          where id = ${id} and member_id = ${member_id} and ended_at is null
          returning audience, ${told}`
      })

      /** Every token and code of a grant, and the authorization server's record of it. */
      const forget = (id: string) =>
        sql`delete from oauth_records where grant_id = ${id} or (model = 'Grant' and id_hash = ${hashId(id)})`

      return {
        insert: (grant: NewGrant) => Effect.orDie(insert(grant)),
        list: (memberId: string, now: DateTime.Utc) => Effect.orDie(list({ member_id: memberId, now })),
        one: (memberId: string, id: string, now: DateTime.Utc) =>
          Effect.orDie(one({ member_id: memberId, id, now })),
        token: (value: string) => Effect.orDie(token(value)),
        ofRefreshToken: (value: string) => Effect.orDie(ofRefreshToken(value)),
        own: (id: string) => Effect.orDie(own(id)),
        used: (id: string, at: DateTime.Utc) =>
          Effect.orDie(Effect.asVoid(sql`update grants set last_used_at = ${date(at)} where id = ${id}`)),
        change: (changes: Changes) => Effect.orDie(change(changes)),
        /** Sets the scopes in the authorization server's record, for tokens to come. */
        rescope: (id: string, resource: string, scopes: ReadonlyArray<string>) => {
          const scope = scopes.join(" ")
          return Effect.orDie(
            Effect.andThen(
              sql`
                update oauth_records set payload = jsonb_set(payload #- '{rejected}', array['resources', ${resource}], to_jsonb(${scope}::text))
                where model = 'Grant' and id_hash = ${hashId(id)}`,
              Effect.asVoid(sql`
                update oauth_records set payload = jsonb_set(payload, '{scope}', to_jsonb(
                  case when payload ->> 'scope' like '%offline_access%' then ${scope}::text || ' offline_access' else ${scope}::text end))
                where grant_id = ${id} and model in ('AccessToken', 'RefreshToken')`)
            )
          )
        },
        /** Ends the grant and everything that was issued for it; none: it had ended. */
        end: (id: string, because: "person" | "app" | "reuse", at: DateTime.Utc) =>
          Effect.orDie(
            Effect.gen(function* () {
              const ended = yield* sql<Told>`
                update grants set ended_at = ${date(at)}, ended_because = ${because}
                where id = ${id} and ended_at is null returning ${told}`
              yield* forget(id)
              return Option.fromUndefinedOr(ended[0])
            })
          ),
        /**
         * Removes earlier grants of the same person, app and workspace with their tokens, and gives them. A client
         * document is one client id on every computer of the app, so its grants stay.
         */
        replaceOlder: (id: string) =>
          Effect.orDie(
            Effect.gen(function* () {
              const older = yield* sql<Told>`
                delete from grants o using grants n
                where n.id = ${id} and o.created_at < n.created_at and o.ended_at is null and o.member_id = n.member_id
                  and o.workspace_id = n.workspace_id and o.client_id = n.client_id and o.audience = n.audience
                  and n.client_id not like 'https://%' and n.client_id <> ${commandLineClient.client_id}
                returning o.id, o.workspace_id, o.client_name, o.member_id`
              yield* Effect.forEach(older, ({ id }) => forget(id), { discard: true })
              return older
            })
          ),
        letIn: (clientId: string) =>
          Effect.map(
            Effect.orDie(
              sql`select 1 from grants where client_id = ${clientId} and ended_at is null limit 1`
            ),
            (rows) => rows.length > 0
          ),
        belongsTo: (memberId: string, id: string) =>
          Effect.map(
            Effect.orDie(sql`select 1 from grants where id = ${id} and member_id = ${memberId}`),
            (rows) => rows.length > 0
          ),
        /** Grants whose tokens are all gone, and ended ones after a month. */
        collect: (now: DateTime.Utc) =>
          Effect.orDie(
            Effect.asVoid(sql`
              delete from grants g where g.ended_at < ${date(DateTime.subtract(now, { days: 30 }))} or (
                g.ended_at is null and g.created_at < ${date(DateTime.subtract(now, { days: 1 }))} and not exists (
                  select 1 from oauth_records r where r.grant_id = g.id and r.expires_at > ${date(now)}))`)
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
