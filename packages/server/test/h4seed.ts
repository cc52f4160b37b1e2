import { PGlite } from "@electric-sql/pglite"
import { readFileSync } from "node:fs"
const c0 = process.cpuUsage()
const p = await PGlite.create({ loadDataDir: new Blob([readFileSync(process.argv[2]!)]) })
await p.query("select 1")
const c1 = process.cpuUsage(c0); console.log("load cpu ms", (c1.user + c1.system) / 1000)
const { rows } = await p.query<any>("select relname from pg_class where relkind='r' and relnamespace='public'::regnamespace")
for (const { relname } of rows) { const r = await p.query<any>(`select count(*)::int n from ${relname}`); if (r.rows[0].n) console.log(relname, r.rows[0].n) }
for (let i = 0; i < 3; i++) {
  const t = process.cpuUsage()
  await p.exec("ROLLBACK; "); await p.exec("DISCARD ALL")
  await p.exec(`truncate ${rows.map((r: any) => r.relname).filter((n: string) => !/migrations/.test(n)).join(",")} restart identity cascade`)
  const u = process.cpuUsage(t); console.log("reset cpu ms", (u.user + u.system) / 1000, rows.length)
}
const f = await p.query("select (select max(xmin::text::bigint) from pg_attribute) a, (select count(*) from pg_class) b, (select max(xmin::text::bigint) from pg_trigger) c, (select max(xmin::text::bigint) from pg_proc) d"); console.log(f.rows)
