import { ApiKeyId, type Page, Role, Scope, WorkspaceId } from "@carillon/domain"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant, Int8 } from "../sql/Rows.ts"
import { membershipColumns } from "./MembershipColumns.ts"

const listed = {
  id: ApiKeyId,
  name: Schema.String,
  scopes: Schema.Array(Scope),
  social_accounts: Schema.NullOr(Schema.Array(Int8)),
  expires_at: Schema.NullOr(Instant),
  last_used_at: Schema.NullOr(Instant),
  created_at: Instant
}

const Listed = Schema.Struct(listed)

const Credential = Schema.Struct({
  ...listed,
  secret_hash: Schema.Uint8Array,
  workspace_id: WorkspaceId,
  timezone: Schema.String,
  created_by: Schema.NullOr(Schema.String),
  /** Of the member who made it, as they are now; null: nobody is known. */
  member_role: Schema.NullOr(Role),
  member_accounts: Schema.NullOr(Schema.Array(Int8))
})
export interface Credential extends Schema.Schema.Type<typeof Credential> {}

interface Holds {
  readonly holds: boolean
}

const holds = <E>(rows: Effect.Effect<ReadonlyArray<Holds>, E>) =>
  Effect.map(Effect.orDie(rows), ([row]) => row!.holds)

const NewKey = Schema.Struct({
  ...listed,
  workspace_id: WorkspaceId,
  secret_hash: Schema.Uint8Array,
  /** The member, or the key whose maker is this one's too. */
  created_by: Schema.NullOr(Schema.String)
})

export class ApiKeyRepository extends Context.Service<ApiKeyRepository>()(
  "@carillon/server/auth/ApiKeyRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        "k.id, k.name, k.scopes, k.social_accounts, k.expires_at, k.last_used_at, k.created_at"
      )

      const credential = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Credential,
        execute: (id) => sql`
          select ${columns}, k.secret_hash, k.workspace_id, w.timezone, k.created_by, ${membershipColumns(sql)}
          from api_keys k join workspaces w on w.id = k.workspace_id left join members m on m.id = k.created_by
            left join memberships s on s.member_id = m.id and s.workspace_id = k.workspace_id
          where k.id = ${id} and (k.created_by is null or m.role = 'owner' or s.role is not null)`
      })

      const insert = SqlSchema.void({
        Request: NewKey,
        execute: (key) => sql`insert into api_keys ${sql.insert(key)}`
      })

      const page = SqlSchema.findAll({
        Request: Schema.Struct({ workspace_id: WorkspaceId, limit: Schema.Int, offset: Schema.Int }),
        Result: Listed,
        execute: ({ workspace_id, limit, offset }) => sql`
          select ${columns} from api_keys k where k.workspace_id = ${workspace_id}
          order by k.created_at desc, k.id desc limit ${limit} offset ${offset}`
      })

      const total = SqlSchema.findOne({
        Request: WorkspaceId,
        Result: Schema.Struct({ total: Schema.Int }),
        execute: (workspaceId) =>
          sql`select count(*)::int as total from api_keys where workspace_id = ${workspaceId}`
      })

      const deleted = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace_id: WorkspaceId, id: Schema.String }),
        Result: Schema.Struct({ id: ApiKeyId, name: Schema.String }),
        execute: ({ workspace_id, id }) =>
          sql`delete from api_keys where workspace_id = ${workspace_id} and id = ${id} returning id, name`
      })

      return {
        credential: (id: string) => Effect.orDie(credential(id)),
        insert: (key: typeof NewKey.Type) => Effect.orDie(insert(key)),
        used: (id: ApiKeyId, at: Date) =>
          Effect.orDie(Effect.asVoid(sql`update api_keys set last_used_at = ${at} where id = ${id}`)),
        list: (workspaceId: WorkspaceId, { limit, offset }: Page) =>
          Effect.orDie(
            Effect.all({
              data: page({ workspace_id: workspaceId, limit, offset }),
              total: Effect.map(total(workspaceId), (row) => row.total)
            })
          ),
        delete: (workspaceId: WorkspaceId, id: string) =>
          Effect.orDie(deleted({ workspace_id: workspaceId, id })),
        /** Whether nobody can come in yet: there is neither a key nor an owner, who would make one. */
        isLocked: holds(sql<Holds>`
          select not exists (select 1 from api_keys)
            and not exists (select 1 from members where role = 'owner') as holds`),
        /** Whether the first key is still needed: it was never used, and no owner could make another. */
        isAwaited: (id: string) =>
          holds(sql<Holds>`
            select exists (select 1 from api_keys where id = ${id} and last_used_at is null)
              and not exists (select 1 from members where role = 'owner') as holds`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
