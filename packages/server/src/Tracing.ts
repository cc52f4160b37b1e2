import { Cause, Config, ConfigProvider, Context, Effect, Exit, Layer, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { readable } from "./ConfigValues.ts"
import { withSecretFiles } from "./SecretFiles.ts"

/** OpenTelemetry's default, which effect does not have: an endpoint alone is enough. */
const exporter = ConfigProvider.layerAdd(ConfigProvider.fromUnknown({ OTEL_TRACES_EXPORTER: "otlp" })).pipe(
  Layer.provide(
    Layer.effect(ConfigProvider.ConfigProvider, Effect.map(ConfigProvider.ConfigProvider, withSecretFiles))
  )
)

const ExportLayer = OtlpTracer.layerFromConfig({ resource: { serviceName: "carillon" } }).pipe(
  Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer, exporter])
)

// Addresses and headers hold signatures, codes and tokens, ours and the platforms', so spans have neither.
const told =
  /^(db|server|error)\.|^http\.(route|request\.method|response\.status_code)$|^(post|target|platform)$/

/** The words of a failure may quote the address that was called: of all but interruptions its name alone is told. */
const wordless = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const name = Cause.prettyErrors(exit.cause)[0]?.name ?? "Error"
  return Exit.fail(Object.assign(new Error(""), { name, stack: name }))
}

const discreet = (tracer: Tracer.Tracer): Tracer.Tracer => ({
  ...tracer,
  span: (options) => {
    const span = tracer.span(options)
    const attribute = span.attribute.bind(span)
    span.attribute = (key, value) => {
      if (told.test(key)) attribute(key, value)
    }
    const end = span.end.bind(span)
    span.end = (at, exit) => end(at, wordless(exit))
    return span
  }
})

/** Read before the exporter reads them, to which what it cannot use is a defect. */
const exporterSettings = readable(
  Config.all([
    Config.option(Config.URL("OTEL_EXPORTER_OTLP_ENDPOINT")),
    Config.option(Config.String("OTEL_EXPORTER_OTLP_HEADERS")),
    Config.option(Config.String("OTEL_EXPORTER_OTLP_TRACES_HEADERS"))
  ])
)

/** Spans go to OTEL_EXPORTER_OTLP_ENDPOINT; without it none are made. The other OTEL_* variables are read too. */
export const TracingLayer = Layer.effectContext(
  Effect.map(Effect.andThen(exporterSettings, Layer.build(ExportLayer)), (exporting) =>
    exporting.mapUnsafe.has(Tracer.Tracer.key)
      ? Context.add(exporting, Tracer.Tracer, discreet(Context.get(exporting, Tracer.Tracer)))
      : Context.add(exporting, References.TracerEnabled, false)
  )
)
