import type { InProcessService } from "./InProcessService.ts"

type Run = InProcessService["Service"]["run"]

/** When a key was used last, and that somebody listens, is no state of anything that was asked for. */
const unwatched: Readonly<Record<string, string>> = { api_keys: "last_used_at" }

/**
 * Of the whole database: changes with every row that is written, changed or deleted in any table. It counts each
 * table's rows and adds up the transactions that wrote them, so it costs milliseconds.
 */
export class Digest {
  readonly #run: Run
  readonly #statement: string

  private constructor(run: Run, statement: string) {
    this.#run = run
    this.#statement = statement
  }

  static async make(run: Run): Promise<Digest> {
    const tables = await run(
      (sql) => sql<{ name: string }>`
        select table_name::text as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'listeners' order by 1`
    )
    const parts = tables.map(({ name }) => {
      const ignored = unwatched[name]
      const mark =
        ignored === undefined
          ? "coalesce(sum(t.xmin::text::bigint), 0)::text"
          : `md5(coalesce(string_agg((to_jsonb(t) - '${ignored}')::text, '|' order by t.id), ''))`
      return `select '${name} ' || count(*)::text || ' ' || ${mark} as part from "${name}" t`
    })
    return new Digest(run, parts.join(" union all "))
  }

  async read(): Promise<string> {
    const rows = await this.#run((sql) => sql.unsafe<{ part: string }>(this.#statement))
    return rows.map(({ part }) => part).join("\n")
  }

  /** As soon as the engine has nothing to do for a moment. */
  async settled(): Promise<string> {
    for (let before = await this.read(), i = 0; ; i++) {
      await new Promise((resume) => setTimeout(resume, 20))
      const after = await this.read()
      if (after === before || i > 400) return after
      before = after
    }
  }
}
