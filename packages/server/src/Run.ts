// Before anything makes a schema: from then on they are compiled at their first use.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { flushCompileCache } from "node:module"
import { App } from "./App.ts"
import { LoggingLayer } from "./Logging.ts"
import { Database } from "./sql/Sql.ts"
import { stopSentence } from "./StopSentence.ts"
import { TracingLayer } from "./Tracing.ts"

const tell = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    if (!Cause.hasInterruptsOnly(cause))
      process.stderr.write(`\nCarillon stopped. ${stopSentence(cause)}\n\n`)
  })

/** Runs until it is told to stop, or the embedded database has ended for good. */
const main = Layer.build(App).pipe(
  // A killed process does not come to the end, where Node would write it.
  Effect.tap(() => Effect.sync(flushCompileCache)),
  Effect.flatMap((services) => Context.get(services, Database).stopped),
  Effect.scoped,
  Effect.provide(Layer.merge(LoggingLayer, TracingLayer)),
  Effect.tapCause(tell)
)

const stop = () => process.kill(process.pid, "SIGTERM")

// The terminal was closed.
process.on("SIGHUP", stop)

// npm passes on a Ctrl-C that has been heard already. The second would kill what ends, after runMain's own listeners have left.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined)

// npm passes on SIGTERM and SIGINT only. When it ends otherwise, this process gets another parent.
if (process.argv.includes("--end-with-parent")) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 500).unref()
}

process.umask(0o077)
NodeRuntime.runMain(main, {
  disableErrorReporting: true,
  // Exiting because we were asked to is a success.
  teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
})
