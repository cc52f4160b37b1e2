import {
  CurrentActor,
  firstSlots,
  type Page,
  TimeZoneName,
  type UpdateProfile,
  type Workspace,
  WorkspaceId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant } from "../sql/Rows.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { putQueues } from "./putQueues.ts"

const Row = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  timezone: TimeZoneName,
  created_at: Instant
})

const Settings = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  timezone: TimeZoneName,
  lateness_limit_seconds: Schema.Int,
  client_approval: Schema.Boolean
})
export interface Settings extends Schema.Schema.Type<typeof Settings> {}

/** UTC where the machine's own is none that is known. */
const machineTimezone = Option.getOrElse(
  Schema.decodeUnknownOption(TimeZoneName)(Intl.DateTimeFormat().resolvedOptions().timeZone),
  () => "UTC"
)

/** The workspaces of this instance. The oldest is the default one, which the bootstrap key belongs to. */
export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Made on the first start of an instance, and never another one; its name and time zone may change. */
    readonly default: Effect.Effect<Workspace>
    readonly defaultId: WorkspaceId
    /** Without a time zone it gets the default workspace's. */
    create(name: string, timezone: string | null | undefined): Effect.Effect<Workspace>
    /** The time zone of the default workspace, which its owner chooses at the first visit. */
    setDefaultTimezone(timezone: string): Effect.Effect<void>
    /** Newest first. */
    list(page: Page): Effect.Effect<{ data: ReadonlyArray<Workspace>; total: number }>
    /** Of the workspace that the credential belongs to. */
    readonly settings: Effect.Effect<Settings, never, CurrentActor>
    update(changes: UpdateProfile): Effect.Effect<void, never, CurrentActor>
  }
>()("@carillon/server/workspaces/Workspaces") {
  static readonly layer = Layer.effect(
    Workspaces,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const wakeup = yield* Wakeup

      const oldest = SqlSchema.findOneOption({
        Request: Schema.Void,
        Result: Row,
        execute: () =>
          sql`select id, name, timezone, created_at from workspaces order by created_at, id limit 1`
      })

      const insert = Effect.fnUntraced(function* (name: string, timezone: string) {
        const id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
        const now = yield* DateTime.now
        const row = { id, name, timezone, created_at: now }
        yield* sql`
          with workspace as (
            insert into workspaces ${sql.insert({ ...row, created_at: DateTime.toDateUtc(now) })} returning id
          )
          ${putQueues(
            sql,
            sql`(
              select id as workspace_id, null::text as timezone, ${JSON.stringify(firstSlots)}::text::jsonb as slots,
                0 as jitter_minutes
              from workspace) e`
          )}`
        return row
      })

      const make = Effect.gen(function* () {
        // Processes that start together must not make two.
        yield* sql`lock table workspaces in exclusive mode`
        const found = yield* oldest(undefined)
        return Option.isSome(found) ? found.value : yield* insert("Default", machineTimezone)
      }).pipe(sql.withTransaction)

      // Found while the service is built, not when it is first needed: a transaction that waits for the look of another
      // fiber keeps the embedded database's only session from that fiber.
      const { id: defaultId } = yield* Effect.orDie(
        Effect.flatMap(oldest(undefined), Option.match({ onNone: () => make, onSome: Effect.succeed }))
      )

      const byId = SqlSchema.findOne({
        Request: WorkspaceId,
        Result: Row,
        execute: (id) => sql`select id, name, timezone, created_at from workspaces where id = ${id}`
      })

      const settings = SqlSchema.findOne({
        Request: WorkspaceId,
        Result: Settings,
        execute: (id) =>
          sql`select id, name, timezone, lateness_limit_seconds, client_approval from workspaces where id = ${id}`
      })

      const update = Effect.fn("Workspaces.update")(function* (changes: UpdateProfile) {
        const actor = yield* CurrentActor
        yield* sql`
          update workspaces set
            name = coalesce(${changes.name ?? null}, name),
            timezone = coalesce(${changes.timezone ?? null}, timezone),
            lateness_limit_seconds =
              coalesce(${changes.lateness_limit_seconds ?? null}::int, lateness_limit_seconds),
            client_approval = coalesce(${changes.client_approval ?? null}::boolean, client_approval)
          where id = ${actor.workspace_id}`.pipe(Effect.orDie)
        yield* wakeup.credentials.notify
      })

      const page = SqlSchema.findAll({
        Request: Schema.Struct({ limit: Schema.Int, offset: Schema.Int }),
        Result: Row,
        execute: ({ limit, offset }) => sql`
          select id, name, timezone, created_at from workspaces
          order by created_at desc, id desc limit ${limit} offset ${offset}`
      })

      const list = Effect.fn("Workspaces.list")(function* ({ limit, offset }: Page) {
        const counted = yield* sql<{ total: number }>`select count(*)::int as total from workspaces`
        return { data: yield* page({ limit, offset }), total: counted[0]!.total }
      }, Effect.orDie)

      return Workspaces.of({
        default: Effect.orDie(byId(defaultId)),
        defaultId,
        create: Effect.fn("Workspaces.create")(function* (name, timezone) {
          return yield* insert(name, timezone ?? (yield* byId(defaultId)).timezone)
        }, Effect.orDie),
        setDefaultTimezone: Effect.fn("Workspaces.setDefaultTimezone")(function* (timezone) {
          yield* sql`update workspaces set timezone = ${timezone} where id = ${defaultId}`
          yield* wakeup.credentials.notify
        }, Effect.orDie),
        list,
        settings: Effect.flatMap(CurrentActor, ({ workspace_id }) => Effect.orDie(settings(workspace_id))),
        update
      })
    })
  )
}
