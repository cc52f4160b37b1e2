import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit, Layer, Logger, Predicate } from "effect"
import { flushCompileCache } from "node:module"
import { App } from "./App.ts"
import { Journal } from "./Journal.ts"
import { NodeServer } from "./NodeServer.ts"

/** Ends when the parent process is gone; never, if nobody holds a channel to this one. */
const parentGone = Effect.callback<void>((resume) => {
  if (process.send === undefined) return
  if (!process.connected) return resume(Effect.void)
  process.once("disconnect", () => resume(Effect.void))
})

/** Says why it stopped, without a stack trace: to the parent process, or else on stderr. */
const tell = (cause: Cause.Cause<unknown>) =>
  Effect.callback<void>((resume) => {
    if (Cause.hasInterruptsOnly(cause)) return resume(Effect.void)
    const failure = Cause.squash(cause)
    const expected = cause.reasons.every(Cause.isFailReason) && Predicate.hasProperty(failure, "message")
    const failed = expected ? String(failure.message) : Cause.pretty(cause)
    const end = () => resume(Effect.void)
    if (process.connected && !started) process.send?.({ failed }, end)
    else process.stderr.write(`\nThe test network stopped. ${failed}\n\n`, end)
  })

// The one line on stdout is for programs.
const LogLayer = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])

let started = false

const main = Effect.gen(function* () {
  const url = (yield* NodeServer).url()
  yield* Console.log(`sandbox ready ${url}`)
  yield* Effect.sync(() => {
    started = true
    process.send?.({ ready: true, url })
    // A killed process does not come to the end, where Node would write it.
    flushCompileCache()
  })
  yield* Effect.raceFirst(parentGone, (yield* Journal).broken)
}).pipe(Effect.provide(App.pipe(Layer.provideMerge(LogLayer))), Effect.tapCause(tell))

NodeRuntime.runMain(main, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
})

// Ctrl-C and a closed terminal reach every process of the terminal. A service that is still finishing its posts needs
// the platform until it lets go of the channel.
if (process.send !== undefined) {
  for (const signal of ["SIGINT", "SIGHUP"]) process.removeAllListeners(signal).on(signal, () => undefined)
}
