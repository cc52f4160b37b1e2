import "effect/schema/SchemaJITCompiler/enable"
import { App } from "@carillon/server/App"
import { LoggingLayer } from "@carillon/server/Logging"
import { CurrentProtocolFixtures } from "@carillon/server/mcp/ProtocolFixtures"
import { NodeRuntime } from "@effect/platform-node"
import { Layer } from "effect"
import { makeSuiteFixtures } from "./SuiteFixtures.ts"

/** The service as it is, with the suite's tools besides its own. */
NodeRuntime.runMain(
  Layer.launch(
    App.pipe(
      Layer.provide(Layer.succeed(CurrentProtocolFixtures, makeSuiteFixtures())),
      Layer.provide(LoggingLayer)
    )
  )
)
