import { SandboxProcess } from "@carillon/sandbox/testing"
import { Effect, Exit, Layer, Scope } from "effect"
import { callsWith, Service, type ServiceCalls, startService } from "./ServiceProcess.ts"

const scope = Scope.makeUnsafe()
const close = () => Effect.runPromise(Scope.close(scope, Exit.void))

/** Started by the first test file of a worker that asks, and ended with the worker, to which Vitest sends SIGTERM. */
export const startedOnce = <A>(start: Effect.Effect<A, never, Scope.Scope>) =>
  start.pipe(Scope.provide(scope), Effect.cached, Effect.runSync)

export const sandboxOfAll = startedOnce(
  Effect.suspend(() => {
    process.once("SIGTERM", () => void close().finally(() => process.exit()))
    return SandboxProcess.make()
  })
)

const serviceOfAll = startedOnce(
  Effect.flatMap(sandboxOfAll, ({ url }) =>
    startService({
      env: {
        SANDBOX_URL: url,
        SANDBOX_SETTLE_WAIT: "1 second",
        TELEGRAM_API_URL: `${url}/bot-api.own`,
        MAX_WORKSPACE_BYTES: "1000000000",
        // All files of the worker come from one address.
        RATE_LIMIT_FAILED_AUTHENTICATIONS: "100000"
      }
    })
  )
)

/** Calls with the bootstrap key, which are of the default workspace and of the instance. */
export const instance = Effect.map(serviceOfAll, (service): ServiceCalls => service)

/** A further workspace of the service, and calls with its admin key. */
export const anotherWorkspace = Effect.gen(function* () {
  const service = yield* serviceOfAll
  const { body } = yield* service.call("POST", "/v1/workspaces", { name: "A test file's" })
  return callsWith(service.url, body.api_key.key)
})

const fail = () => {
  throw new Error("Other test files use this process too: a test that ends it starts its own.")
}
const ofAll = Effect.sync(fail)

/** The test network that all test files of a worker share. It has forgotten what other files published, but no account. */
export const SharedSandbox = Layer.effect(
  SandboxProcess,
  Effect.gen(function* () {
    const sandbox = yield* sandboxOfAll
    yield* sandbox.reset
    return SandboxProcess.of({ ...sandbox, kill: ofAll, stop: ofAll, restart: ofAll })
  })
)

/**
 * The service and the test network that all test files of a worker share. The calls are those of a workspace of its own,
 * with an admin key. A username is used in one file only: accounts outlast a file.
 */
export const SharedService = Layer.effect(
  Service,
  Effect.gen(function* () {
    return Service.of({
      ...(yield* serviceOfAll),
      ...(yield* anotherWorkspace),
      kill: ofAll,
      terminate: ofAll,
      start: ofAll,
      signal: fail
    })
  })
).pipe(Layer.provideMerge(SharedSandbox))

/** The same with the calls of the instance's own key: what the owner sees in the browser is of the default workspace. */
export const SharedInstance = Layer.effect(
  Service,
  Effect.gen(function* () {
    return Service.of({ ...(yield* Service), ...(yield* instance) })
  })
).pipe(Layer.provideMerge(SharedService))
