import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** People and keys ask for an approval, too, so it says of what kind its asker is. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update posts set approval = (approval - 'app')
      || jsonb_build_object('asked_by', jsonb_build_object('type', 'app', 'name', approval ->> 'app'))
    where approval is not null`
})
