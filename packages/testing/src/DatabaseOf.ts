import { EmbeddedDatabase } from "@carillon/server/sql/Embedded"
import * as Postgres from "@carillon/server/sql/Postgres"
import { Effect, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { ServiceProcess } from "./ServiceProcess.ts"

/** A service, and the environment that leads to its database with no proxy in between. */
export interface Stored {
  readonly service: ServiceProcess
  readonly database: Readonly<Record<string, string>>
}

/** Runs on the service's database. The embedded one is open to one process only: the service is killed before. */
export const inDatabaseOf =
  ({ service, database }: Stored) =>
  <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>): Effect.Effect<A> => {
    const url = database["DATABASE_URL"]
    return url === undefined
      ? Effect.andThen(
          service.kill,
          Effect.provide(effect, EmbeddedDatabase.layer({ dataDir: service.dataDir }), { local: true })
        ).pipe(Effect.orDie)
      : Effect.provide(effect, Postgres.layer({ databaseUrl: Redacted.make(url), maxConnections: 1 }), {
          local: true
        }).pipe(Effect.orDie)
  }
