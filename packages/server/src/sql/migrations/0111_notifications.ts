import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** One address for a workspace's people: a webhook with a format, to which several events go as one message. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table webhooks
    -- null: signed events. Otherwise what people read; the whole address is in secrets, and url has its host alone.
    add column format text`
  yield* sql`create unique index webhooks_notifications on webhooks (workspace_id) where format is not null`
  yield* sql`
    alter table webhook_deliveries
    -- The events that are told in the same message.
    add column also bigint[] not null default '{}'`
})
