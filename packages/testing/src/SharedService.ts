import { SandboxProcess } from "@carillon/sandbox/testing"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { callsWith, Service, type ServiceCalls, startService } from "./ServiceProcess.ts"

const scope = Scope.makeUnsafe()
const close = () => Effect.runPromise(Scope.close(scope, Exit.void))

/** Started by the first test file of a worker that asks, and ended with the worker, to which Vitest sends SIGTERM. */
const processes = Effect.gen(function* () {
  process.once("SIGTERM", () => void close().finally(() => process.exit()))
  const sandbox = yield* SandboxProcess.make()
  const service = yield* startService({
    env: {
      SANDBOX_URL: sandbox.url,
      SANDBOX_SETTLE_WAIT: "1 second",
      MAX_WORKSPACE_BYTES: "1000000000",
      // All files of the worker come from one address.
      RATE_LIMIT_FAILED_AUTHENTICATIONS: "100000"
    }
  })
  return { sandbox, service }
}).pipe(Scope.provide(scope), Effect.cached, Effect.runSync)

/** Calls with the bootstrap key, which are of the default workspace and of the instance. */
export const instance = Effect.map(processes, ({ service }): ServiceCalls => service)

/** A further workspace of the service, and calls with its admin key. */
export const anotherWorkspace = Effect.gen(function* () {
  const { service } = yield* processes
  const { body } = yield* service.call("POST", "/v1/workspaces", { name: "A test file's" })
  return callsWith(service.url, body.api_key.key)
})

const fail = () => {
  throw new Error("Other test files use this service too: a test that ends it starts its own.")
}
const ofAll = Effect.sync(fail)

/**
 * The service and the test network that all test files of a worker share. The calls are those of a workspace of its own,
 * with an admin key; the test network has forgotten what other files published, but not their accounts: a username is
 * used in one file only.
 */
export const SharedService = Layer.effectContext(
  Effect.gen(function* () {
    const { sandbox, service } = yield* processes
    yield* sandbox.reset
    return Context.make(
      Service,
      Service.of({
        ...service,
        ...(yield* anotherWorkspace),
        kill: ofAll,
        terminate: ofAll,
        start: ofAll,
        signal: fail
      })
    ).pipe(Context.add(SandboxProcess, { ...sandbox, kill: ofAll, stop: ofAll, restart: ofAll }))
  })
)
