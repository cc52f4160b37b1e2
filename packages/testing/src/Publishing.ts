import { SandboxProcess } from "@carillon/sandbox/testing"
import { Effect, Layer, Schedule } from "effect"
import { Service, type ServiceOptions } from "./ServiceProcess.ts"

/** The service and the test network, each in a process of its own. */
export const ServiceWithSandbox = (options: ServiceOptions = {}) =>
  Layer.unwrap(
    Effect.map(SandboxProcess, ({ url }) =>
      Service.layer({ ...options, env: { SANDBOX_URL: url, ...options.env } })
    )
  ).pipe(Layer.provideMerge(SandboxProcess.layer))

/** Connects an account of the test network; its id. */
export const connect = Effect.fnUntraced(function* (username: string) {
  const service = yield* Service
  const { status, body } = yield* service.call("POST", "/v1/social-accounts", {
    platform: "sandbox",
    credentials: { username, password: "sandbox" }
  })
  if (status !== 201) return yield* Effect.die(new Error(JSON.stringify(body)))
  return body.id as number
})

export const create = Effect.fnUntraced(function* (post: object) {
  const service = yield* Service
  const { status, body } = yield* service.call("POST", "/v1/posts", post)
  if (status !== 201) return yield* Effect.die(new Error(JSON.stringify(body)))
  return body as {
    readonly id: string
    readonly created_at: string
    readonly scheduled_at: string | null
    readonly status: string
    readonly warnings: ReadonlyArray<string>
    readonly results: any[]
  }
})

export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

/** The post as soon as it is as wanted. There is no event to wait for over REST, so it is asked again and again. */
export const eventually = (postId: string, wanted: (post: any) => boolean, withinSeconds = 120) =>
  Effect.suspend(() => {
    let last: unknown
    return Effect.gen(function* () {
      const service = yield* Service
      const { body } = yield* service.call("GET", `/v1/posts/${postId}`)
      last = body
      return wanted(body) ? body : yield* Effect.fail("not yet")
    }).pipe(
      Effect.retry(everyTenth),
      Effect.timeoutOrElse({
        duration: withinSeconds * 1000,
        orElse: () => Effect.die(new Error(`not within ${withinSeconds} s: ${JSON.stringify(last)}`))
      }),
      Effect.orDie
    )
  })

/**
 * Milliseconds that are to be below a limit, measured anew a few times while they are not: a machine that stood still in the
 * middle of it says nothing of the service.
 */
export const promptly = <E, R>(measured: Effect.Effect<number, E, R>, limit: number) =>
  Effect.repeat(measured, { until: (millis) => millis < limit, times: 4 })

const everyTenth = Schedule.spaced("100 millis")

export const settled = (postId: string, withinSeconds?: number) =>
  eventually(postId, (post) => ["published", "failed"].includes(post.status), withinSeconds)
