import { WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant } from "../sql/Rows.ts"

export const Member = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  role: Schema.Literals(["owner", "member"])
})
export interface Member extends Schema.Schema.Type<typeof Member> {}

const WithPassword = Schema.Struct({ ...Member.fields, password_hash: Schema.String })
const NewMember = Schema.Struct({ ...WithPassword.fields, created_at: Instant })

const NewSession = Schema.Struct({
  token_hash: Schema.Uint8Array,
  member_id: Schema.String,
  created_at: Instant,
  last_used_at: Instant,
  expires_at: Instant
})

const SessionRow = Schema.Struct({ ...Member.fields, last_used_at: Instant })

const MemberWorkspace = Schema.Struct({ id: WorkspaceId, name: Schema.String, timezone: Schema.String })
export interface MemberWorkspace extends Schema.Schema.Type<typeof MemberWorkspace> {}

/** Members, their sessions and the links that make the owner. */
export class MemberRepository extends Context.Service<MemberRepository>()(
  "@carillon/server/auth/MemberRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const byName = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: WithPassword,
        execute: (name) => sql`
          select id, name, role, password_hash from members where lower(name) = lower(${name})`
      })

      const byId = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: WithPassword,
        execute: (id) => sql`select id, name, role, password_hash from members where id = ${id}`
      })

      const owner = SqlSchema.findOneOption({
        Request: Schema.Void,
        Result: Member,
        execute: () => sql`select id, name, role from members where role = 'owner'`
      })

      const insert = SqlSchema.findOneOption({
        Request: NewMember,
        Result: Schema.Struct({ id: Schema.String }),
        execute: (member) =>
          sql`insert into members ${sql.insert(member)} on conflict do nothing returning id`
      })

      const insertSession = SqlSchema.void({
        Request: NewSession,
        execute: (session) => sql`insert into sessions ${sql.insert(session)}`
      })

      const session = SqlSchema.findOneOption({
        Request: Schema.Struct({ token_hash: Schema.Uint8Array, now: Instant, idle_since: Instant }),
        Result: SessionRow,
        execute: ({ token_hash, now, idle_since }) => sql`
          select m.id, m.name, m.role, s.last_used_at from sessions s join members m on m.id = s.member_id
          where s.token_hash = ${token_hash} and s.expires_at > ${now} and s.last_used_at > ${idle_since}`
      })

      const workspaces = SqlSchema.findAll({
        Request: Member,
        Result: MemberWorkspace,
        execute: ({ id, role }) => sql`
          select w.id, w.name, w.timezone from workspaces w
          where ${role} = 'owner' or exists (
            select 1 from memberships m where m.workspace_id = w.id and m.member_id = ${id})
          order by w.created_at, w.id limit 500`
      })

      const takeLink = SqlSchema.findOneOption({
        Request: Schema.Struct({ ticket_hash: Schema.Uint8Array, now: Instant }),
        Result: Schema.Struct({ expires_at: Instant }),
        execute: ({ ticket_hash, now }) => sql`
          delete from owner_links where ticket_hash = ${ticket_hash} and expires_at > ${now} returning expires_at`
      })

      const date = DateTime.toDateUtc

      return {
        byName: (name: string) => Effect.orDie(byName(name)),
        byId: (id: string) => Effect.orDie(byId(id)),
        owner: Effect.orDie(owner(undefined)),
        /** None: there is an owner, or the name is taken. */
        insert: (member: typeof NewMember.Type) => Effect.orDie(insert(member)),
        setPassword: (id: string, name: string, hash: string) =>
          Effect.orDie(
            Effect.asVoid(sql`update members set name = ${name}, password_hash = ${hash} where id = ${id}`)
          ),
        workspaces: (member: Member) => Effect.orDie(workspaces(member)),
        insertSession: (row: typeof NewSession.Type) => Effect.orDie(insertSession(row)),
        session: (asked: { token_hash: Uint8Array; now: DateTime.Utc; idle_since: DateTime.Utc }) =>
          Effect.orDie(session(asked)),
        sessionUsed: (hash: Uint8Array, at: DateTime.Utc) =>
          Effect.orDie(
            Effect.asVoid(sql`update sessions set last_used_at = ${date(at)} where token_hash = ${hash}`)
          ),
        deleteSession: (hash: Uint8Array) =>
          Effect.orDie(Effect.asVoid(sql`delete from sessions where token_hash = ${hash}`)),
        deleteSessionsOf: (memberId: string) =>
          Effect.orDie(Effect.asVoid(sql`delete from sessions where member_id = ${memberId}`)),
        /** Makes the link the only one from now on. */
        replaceLinks: (hash: Uint8Array, expiresAt: DateTime.Utc) =>
          Effect.gen(function* () {
            // Processes that start together must not make two.
            yield* sql`lock table owner_links in exclusive mode`
            yield* sql`delete from owner_links`
            yield* sql`insert into owner_links (ticket_hash, expires_at) values (${hash}, ${date(expiresAt)})`
          }).pipe(sql.withTransaction, Effect.orDie),
        linkIsGood: (hash: Uint8Array, now: DateTime.Utc) =>
          Effect.map(
            Effect.orDie(
              sql`select 1 from owner_links where ticket_hash = ${hash} and expires_at > ${date(now)}`
            ),
            (rows) => rows.length > 0
          ),
        takeLink: (hash: Uint8Array, now: DateTime.Utc) => Effect.orDie(takeLink({ ticket_hash: hash, now })),
        deleteLinks: Effect.orDie(Effect.asVoid(sql`delete from owner_links`)),
        collect: (now: DateTime.Utc) =>
          Effect.orDie(
            Effect.andThen(
              sql`delete from sessions where expires_at <= ${date(now)}`,
              Effect.asVoid(sql`delete from owner_links where expires_at <= ${date(now)}`)
            )
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
