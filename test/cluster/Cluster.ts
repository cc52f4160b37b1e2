import { SandboxProcess } from "@carillon/sandbox/testing"
import { Effect, Redacted, Schedule } from "effect"
import { type NetworkFault, startNetworkProxy } from "../crash/NetworkProxy.ts"
import { Interceptor } from "../crash/Interceptor.ts"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import * as TestPostgres from "@carillon/testing/TestPostgres"

export interface ClusterOptions {
  /** The network's fault in one call to the platform. */
  readonly chance?: () => NetworkFault | undefined
  /** Further environment of the services: one service for each. */
  readonly services: ReadonlyArray<Readonly<Record<string, string>>>
}

/** Services on one PostgreSQL server of their own. Each is started again whenever and however it has ended. */
export const makeCluster = Effect.fn("makeCluster")(function* ({ chance, services: envs }: ClusterOptions) {
  const sandbox = yield* SandboxProcess
  const postgres = yield* TestPostgres.make
  const network = yield* startNetworkProxy(sandbox.url, new Interceptor(), chance)
  const database = {
    DATABASE_URL: Redacted.value(postgres.url),
    CARILLON_SECRET: "0123456789abcdef0123456789abcdef"
  }
  const services = yield* Effect.forEach(
    envs,
    (env) =>
      startService({
        database,
        env: { SANDBOX_URL: network.url, RATE_LIMIT_READS: "1000000", RATE_LIMIT_WRITES: "1000000", ...env }
      }),
    { concurrency: "unbounded" }
  )
  /** Those that are ready, the one that has been so for longest first. */
  const up = new Set(services)
  for (const service of services) yield* Effect.forkScoped(keepUp(service, up))
  /** SIGKILL for the one that has been ready for longest, unless it is the only one; whether it was sent. */
  const killOne = () => {
    const [victim] = up
    if (victim === undefined || up.size < 2) return false
    up.delete(victim)
    victim.signal("SIGKILL")
    return true
  }
  return { postgres, database, services, killOne }
})

const keepUp = (service: ServiceProcess, up: Set<ServiceProcess>) =>
  service.ended.pipe(
    Effect.tap(() => Effect.sync(() => up.delete(service))),
    Effect.andThen(service.start),
    Effect.tap(() => Effect.sync(() => up.add(service))),
    // PostgreSQL may be away just then.
    Effect.sandbox,
    Effect.retry(Schedule.spaced("500 millis")),
    Effect.forever
  )
