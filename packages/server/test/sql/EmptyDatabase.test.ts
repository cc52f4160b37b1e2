import { readEmptyDatabase } from "@carillon/server/sql/EmptyDatabase"
import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { assert, it } from "@effect/vitest"

/** What tells one empty database from another: the server's version, its catalogs, and what initdb chose. */
const described = async (options: PGliteOptions) => {
  const pglite = await PGlite.create(options)
  const { rows } = await pglite.query(`
    SELECT version(),
      (SELECT catalog_version_no FROM pg_control_system()) AS catalog,
      (SELECT data_page_checksum_version FROM pg_control_init()) AS checksums,
      (SELECT json_agg((datname, encoding, datcollate, datctype, datlocprovider) ORDER BY datname) FROM pg_database) AS databases,
      (SELECT json_agg((rolname, rolsuper) ORDER BY rolname) FROM pg_roles) AS roles,
      (SELECT json_agg((name, setting) ORDER BY name) FROM pg_settings WHERE source = 'configuration file') AS settings,
      (SELECT count(*)::int FROM pg_proc) AS functions,
      (SELECT json_agg(relname ORDER BY relname) FROM pg_class) AS relations`)
  await pglite.close()
  return rows
}

it("the empty database that comes with the source is the one that initdb makes", async () => {
  const kept = await described({ loadDataDir: await readEmptyDatabase() })
  assert.deepStrictEqual(kept, await described({}))
})
