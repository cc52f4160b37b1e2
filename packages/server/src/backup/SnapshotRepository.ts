import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"

/** A table in a backup: its columns in the order of the rows, and where its sequences go on. */
export const BackupTable = Schema.Struct({
  /** Never one of PostgreSQL's own. */
  name: Schema.String.check(Schema.isPattern(/^(?!pg_)[a-z][a-z0-9_]{0,62}$/)),
  columns: Schema.Array(Schema.String),
  rows: Schema.Int,
  sequences: Schema.Record(Schema.String, Schema.String.check(Schema.isPattern(/^\d{1,19}$/)))
})
export interface BackupTable extends Schema.Schema.Type<typeof BackupTable> {}

export const AppliedMigration = Schema.Struct({ migration_id: Schema.Int, name: Schema.String })
export interface AppliedMigration extends Schema.Schema.Type<typeof AppliedMigration> {}

/** Takes the rows of a table, one as JSON in each line, with a line break at the end. */
export type TakeRows<E> = (table: string, lines: string) => Effect.Effect<void, E>

/** Rows that belong to this instance and this hour, and to no other: sign-ins under way, the schedule of its backups. */
const kept: Readonly<Record<string, string>> = {
  migrations: "false",
  backup_runs: "false",
  oauth_records: "model in ('Client', 'Grant', 'AccessToken', 'RefreshToken')"
}

/** About as many bytes of a table are read at once. */
const pageBytes = 2 * 1024 * 1024

/** How many rows are written at once. */
const batchRows = 500

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** All rows of the database, read as of one moment, and written into an empty one. */
export class SnapshotRepository extends Context.Service<SnapshotRepository>()(
  "@carillon/server/backup/SnapshotRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const run = <Row extends object>(statement: string) => sql.unsafe<Row>(statement).unprepared

      const tables = run<{
        name: string
        columns: ReadonlyArray<string>
        sequences: Readonly<Record<string, string>>
        pages: number
        bytes: number
      }>(`
        select c.relname as name,
          array(select a.attname::text from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
          (select coalesce(json_object_agg(a.attname, pg_get_serial_sequence(quote_ident(c.relname), a.attname)), '{}')
            from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as sequences,
          ceil(pg_relation_size(c.oid) / current_setting('block_size')::float8)::int as pages,
          pg_table_size(c.oid)::float8 as bytes
        from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by c.relname`)

      const next = (sequence: string) =>
        Effect.map(
          run<{ next: string }>(
            `select (case when is_called then last_value + 1 else last_value end)::text as next from ${sequence}`
          ),
          (rows) => rows[0]!.next
        )

      const applied = Effect.map(
        run<AppliedMigration>("select migration_id, name from migrations order by migration_id"),
        (rows): ReadonlyArray<AppliedMigration> => rows
      )

      /** Reads everything as of one moment. The rows of `take` come page by page, table after table. */
      const read = <E>(take: TakeRows<E>) =>
        Effect.gen(function* () {
          yield* sql`set transaction isolation level repeatable read, read only`
          const migrations = yield* applied
          const read: Array<BackupTable> = []
          for (const { name, columns, sequences, pages, bytes } of yield* tables) {
            const condition = kept[name] ?? "true"
            if (name === "migrations") continue
            const step = Math.max(1, Math.floor((pageBytes * pages) / Math.max(bytes, 1)))
            let rows = 0
            for (let page = 0; page < pages; page += step) {
              const [found] = yield* run<{ lines: string | null; count: number }>(`
                select string_agg(row_to_json(r)::text || E'\\n', '') as lines, count(*)::int as count from (
                  select ${columns.map(quoted).join(", ")} from ${quoted(name)}
                  where ctid >= '(${page},0)' and ctid < '(${page + step},0)' and ${condition}) r`)
              if (found!.lines === null) continue
              rows += found!.count
              yield* take(name, found!.lines)
            }
            const values: Record<string, string> = {}
            for (const [column, sequence] of Object.entries(sequences)) values[column] = yield* next(sequence)
            read.push({ name, columns, rows, sequences: values })
          }
          return { migrations, tables: read }
        }).pipe(sql.withTransaction)

      /** What a backup names and the database does not have, of which nothing may be written: tables, columns, sequences. */
      const unknown = Effect.fnUntraced(function* (given: ReadonlyArray<BackupTable>) {
        const present = new Map((yield* tables).map((table) => [table.name, table]))
        present.delete("migrations")
        return given.flatMap(({ name, columns, sequences }) => {
          const known = present.get(name)
          if (known === undefined) return [name]
          return [
            ...columns.filter((column) => !known.columns.includes(column)),
            ...Object.keys(sequences).filter((column) => !Object.hasOwn(known.sequences, column))
          ].map((column) => `${name}.${column}`)
        })
      })

      /** Tables before those that refer to them. */
      const inOrder = Effect.fnUntraced(function* (given: ReadonlyArray<BackupTable>) {
        const references = yield* run<{ from: string; to: string }>(`
          select f.relname as "from", t.relname as "to" from pg_constraint k
          join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
          where k.contype = 'f' and k.conrelid <> k.confrelid`)
        const ordered = new Map<string, BackupTable>()
        const add = (table: BackupTable) => {
          if (ordered.has(table.name)) return
          for (const { from, to } of references) {
            const before = given.find(({ name }) => name === to)
            if (from === table.name && before !== undefined) add(before)
          }
          ordered.set(table.name, table)
        }
        given.forEach(add)
        return [...ordered.values()]
      })

      /** Writes rows as they were read; the triggers of the table do not see them. */
      const write = Effect.fnUntraced(function* <E>(
        { name, columns, sequences }: BackupTable,
        lines: AsyncIterable<string>,
        failed: (cause: unknown) => E
      ) {
        const table = quoted(name)
        const names = columns.map(quoted).join(", ")
        yield* run(`alter table ${table} disable trigger user`)
        const iterator = lines[Symbol.asyncIterator]()
        let rows = 0
        while (true) {
          const batch: Array<string> = []
          let size = 0
          while (batch.length < batchRows && size < pageBytes) {
            const { done, value } = yield* Effect.tryPromise({ try: () => iterator.next(), catch: failed })
            if (done === true) break
            if (value === "") continue
            batch.push(value)
            size += value.length
          }
          if (batch.length === 0) break
          rows += batch.length
          yield* sql`
            insert into ${sql.literal(table)} (${sql.literal(names)}) overriding system value
            select ${sql.literal(names)} from json_populate_recordset(null::${sql.literal(table)}, ${`[${batch.join(",")}]`}::text::json)`
            .unprepared
        }
        yield* run(`alter table ${table} enable trigger user`)
        for (const [column, value] of Object.entries(sequences)) {
          yield* sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${value}::text::bigint, false)`
            .unprepared
        }
        return rows
      })

      /** Whether an instance has used the database. */
      const used = Effect.gen(function* () {
        const rows = yield* run<{ used: boolean }>(`
          select exists (select from pg_class
            where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> 'migrations') as used`)
        return rows[0]!.used
      })

      return { read, unknown, inOrder, write, used, analyze: Effect.asVoid(run("analyze")) }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
