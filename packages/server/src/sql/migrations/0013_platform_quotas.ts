import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The use of a platform's daily quota by the operator's app, where the platform itself does not tell it.
  yield* sql`
    create table platform_quotas (
      app text not null,
      bucket text not null,
      -- The day in the platform's own time zone.
      day date not null,
      used integer not null,
      primary key (app, bucket, day)
    )`
})
