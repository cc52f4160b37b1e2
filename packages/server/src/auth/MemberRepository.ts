import { type Membership, Role, WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant, Int8 } from "../sql/Rows.ts"
import { membershipColumns } from "./MembershipColumns.ts"

/** An owner reaches every workspace, a member those of their memberships. */
export const Member = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  role: Schema.Literals(["owner", "member"])
})
export interface Member extends Schema.Schema.Type<typeof Member> {}

const WithPassword = Schema.Struct({
  ...Member.fields,
  password_hash: Schema.String,
  device_generation: Schema.Int
})
const NewMember = Schema.Struct({ ...Member.fields, password_hash: Schema.String, created_at: Instant })

const NewSession = Schema.Struct({
  token_hash: Schema.Uint8Array,
  member_id: Schema.String,
  created_at: Instant,
  last_used_at: Instant,
  password_given_at: Instant,
  expires_at: Instant,
  address: Schema.String,
  user_agent: Schema.NullOr(Schema.String),
  new_device: Schema.Boolean
})

const ListedSession = Schema.Struct({
  id: Schema.String,
  token_hash: Schema.Uint8Array,
  created_at: Instant,
  last_used_at: Instant,
  /** null: it was begun before this was kept. */
  address: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  new_device: Schema.Boolean
})

/** One of a member's sessions, as they see it. */
export interface ListedSession extends Schema.Schema.Type<typeof ListedSession> {}

const SessionRow = Schema.Struct({ ...Member.fields, last_used_at: Instant })
const lasting = { now: Instant, idle_since: Instant }
const LiveSession = Schema.Struct({ ...lasting, token_hash: Schema.Uint8Array })
const SessionsOf = Schema.Struct({ ...lasting, member_id: Schema.String })

const MemberWorkspaceRow = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  timezone: Schema.String,
  member_role: Role,
  member_accounts: Schema.NullOr(Schema.Array(Int8))
})
/** One of the workspaces of a member, and what they may do there. */
export interface MemberWorkspace extends Membership {
  readonly id: WorkspaceId
  readonly name: string
  readonly timezone: string
  readonly member: Member
}

const ListedWorkspaceRow = Schema.Struct({ ...MemberWorkspaceRow.fields, has_posts: Schema.Boolean })
/** One of them, and whether anything was ever written in it. */
export interface ListedWorkspace extends MemberWorkspace {
  readonly has_posts: boolean
}

const ofMember = <Row extends typeof MemberWorkspaceRow.Type>(
  { member_accounts: social_accounts, member_role: role, ...row }: Row,
  member: Member
) => ({ ...row, role, social_accounts, member })
type LiveSession = typeof LiveSession.Type

/** What a link that was made then gives the owner. */
interface Renewed {
  readonly name: string
  readonly password_hash: string
  readonly madeAt: DateTime.Utc
}

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
          select id, name, role, password_hash, device_generation from members where lower(name) = lower(${name})`
      })

      const byId = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: WithPassword,
        execute: (id) =>
          sql`select id, name, role, password_hash, device_generation from members where id = ${id}`
      })

      const owner = SqlSchema.findOneOption({
        Request: Schema.Void,
        Result: Member,
        execute: () =>
          sql`select id, name, role from members where role = 'owner' order by created_at, id limit 1`
      })

      const insert = SqlSchema.findOneOption({
        Request: NewMember,
        Result: Schema.Struct({ id: Schema.String }),
        execute: (member) =>
          sql`insert into members ${sql.insert(member)} on conflict do nothing returning id`
      })

      const insertSession = SqlSchema.findOne({
        Request: NewSession,
        Result: Schema.Struct({ device_generation: Schema.Int }),
        execute: (session) => sql`
          insert into sessions ${sql.insert(session)}
          returning (select m.device_generation from members m where m.id = sessions.member_id)`
      })

      const lasts = ({ idle_since, now }: { readonly idle_since: Date; readonly now: Date }) =>
        sql`s.expires_at > ${now} and s.last_used_at > ${idle_since}`

      const session = SqlSchema.findOneOption({
        Request: LiveSession,
        Result: SessionRow,
        execute: ({ token_hash, ...times }) => sql`
          select m.id, m.name, m.role, s.last_used_at from sessions s join members m on m.id = s.member_id
          where s.token_hash = ${token_hash} and ${lasts(times)}`
      })

      const sessions = SqlSchema.findAll({
        Request: SessionsOf,
        Result: ListedSession,
        execute: ({ member_id, ...times }) => sql`
          select s.id, s.token_hash, s.created_at, s.last_used_at, s.address, s.user_agent, s.new_device from sessions s
          where s.member_id = ${member_id} and ${lasts(times)} order by s.last_used_at desc, s.id limit 200`
      })

      const reached = (memberId: string) => sql`
        members m cross join workspaces w left join memberships s on s.member_id = m.id and s.workspace_id = w.id
        where m.id = ${memberId} and (m.role = 'owner' or s.role is not null)`

      const workspaces = SqlSchema.findAll({
        Request: Member,
        Result: ListedWorkspaceRow,
        execute: ({ id }) => sql`
          select w.id, w.name, w.timezone, ${membershipColumns(sql)}, exists (select 1 from posts p where p.workspace_id = w.id) as has_posts
          from ${reached(id)}
          order by w.created_at, w.id limit 500`
      })

      const workspace = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Member.fields, workspace: Schema.String }),
        Result: MemberWorkspaceRow,
        execute: ({ id, workspace }) => sql`
          select w.id, w.name, w.timezone, ${membershipColumns(sql)} from ${reached(id)} and w.id = ${workspace}`
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
        /** None: the name is taken. */
        insert: (member: typeof NewMember.Type) => Effect.orDie(insert(member)),
        setPassword: (id: string, hash: string, at: DateTime.Utc) =>
          Effect.orDie(
            Effect.asVoid(
              sql`update members set password_hash = ${hash}, password_set_at = ${date(at)} where id = ${id}`
            )
          ),
        /** With the name, unless it was set after that link was made. */
        renewPassword: (
          id: string,
          { name, password_hash, madeAt }: Renewed,
          at: DateTime.Utc
        ): Effect.Effect<boolean> =>
          Effect.map(
            Effect.orDie(
              sql`
                update members set name = ${name}, password_hash = ${password_hash}, password_set_at = ${date(at)}
                where id = ${id} and coalesce(password_set_at, created_at) < ${date(madeAt)} returning id`
            ),
            (rows) => rows.length > 0
          ),
        /** Whether the owner has set no password since; also where there is no owner. */
        passwordIsOlder: (than: DateTime.Utc) =>
          Effect.map(
            Effect.orDie(
              sql`select 1 from members where role = 'owner' and coalesce(password_set_at, created_at) >= ${date(than)}`
            ),
            (rows) => rows.length === 0
          ),
        workspaces: (member: Member): Effect.Effect<ReadonlyArray<ListedWorkspace>> =>
          Effect.map(Effect.orDie(workspaces(member)), (rows) => rows.map((row) => ofMember(row, member))),
        workspace: (member: Member, id: WorkspaceId): Effect.Effect<Option.Option<MemberWorkspace>> =>
          Effect.map(
            Effect.orDie(workspace({ ...member, workspace: id })),
            Option.map((row) => ofMember(row, member))
          ),
        insertSession: (row: typeof NewSession.Type) => Effect.orDie(insertSession(row)),
        sessions: (asked: typeof SessionsOf.Type) => Effect.orDie(sessions(asked)),
        session: (asked: LiveSession) => Effect.orDie(session(asked)),
        passwordGivenSince: (hash: Uint8Array, since: DateTime.Utc) =>
          Effect.map(
            Effect.orDie(
              sql`select 1 from sessions where token_hash = ${hash} and password_given_at > ${date(since)}`
            ),
            (rows) => rows.length > 0
          ),
        passwordGiven: (hash: Uint8Array, at: DateTime.Utc) =>
          Effect.orDie(
            Effect.asVoid(sql`update sessions set password_given_at = ${date(at)} where token_hash = ${hash}`)
          ),
        sessionUsed: (hash: Uint8Array, at: DateTime.Utc) =>
          Effect.orDie(
            Effect.asVoid(sql`update sessions set last_used_at = ${date(at)} where token_hash = ${hash}`)
          ),
        deleteSession: (hash: Uint8Array) =>
          Effect.orDie(Effect.asVoid(sql`delete from sessions where token_hash = ${hash}`)),
        deleteSessionOf: (memberId: string, id: string) =>
          Effect.orDie(
            Effect.asVoid(sql`delete from sessions where member_id = ${memberId} and id::text = ${id}`)
          ),
        /** Also makes strangers of the browsers that they were in. */
        deleteSessionsOf: (memberId: string) =>
          Effect.orDie(
            Effect.asVoid(sql`
              with ended as (delete from sessions where member_id = ${memberId})
              update members set device_generation = device_generation + 1 where id = ${memberId}`)
          ),
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
        /** Two first visits at once make one owner. */
        lockOwners: Effect.orDie(Effect.asVoid(sql`lock table owner_links in exclusive mode`)),
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
