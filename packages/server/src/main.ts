#!/usr/bin/env node
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Effect, Layer, Predicate } from "effect"
import { App } from "./App.ts"
import { LoggingLayer } from "./Logging.ts"

/** What stops a start is told in its own words, without a stack. */
const tell = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    if (Cause.hasInterruptsOnly(cause)) return
    const failure = Cause.squash(cause)
    const expected = cause.reasons.every(Cause.isFailReason) && Predicate.hasProperty(failure, "message")
    process.stderr.write(`\nCarillon did not start. ${expected ? String(failure.message) : Cause.pretty(cause)}\n\n`)
  })

const main = Layer.launch(App).pipe(Effect.provide(LoggingLayer), Effect.tapCause(tell))

NodeRuntime.runMain(main, { disableErrorReporting: true })
