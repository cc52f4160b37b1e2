import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // What an app of the operator's has used of a platform's daily allowance, where the platform itself does not say.
  yield* sql`
    create table platform_quotas (
      app text not null,
      bucket text not null,
      -- In the platform's own time zone.
      day date not null,
      used integer not null,
      primary key (app, bucket, day)
    )`
})
