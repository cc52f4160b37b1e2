import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inDatabaseOf } from "./DatabaseOf.ts"
import type { ServiceProcess } from "./ServiceProcess.ts"

/**
 * The handles that a killed service has left hold nothing readable by this name: whoever has the address of an upload can
 * send to it.
 */
export const assertSealed = Effect.fnUntraced(function* (service: ServiceProcess, secret: string) {
  const handles = yield* inDatabaseOf({ service, database: service.database })(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ handle: object }>`select handle from targets where handle is not null`
    )
  )
  assert.isAtLeast(handles.length, 1)
  for (const { handle } of handles) assert.property(handle, "sealed")
  assert.notInclude(JSON.stringify(handles), secret)
})
