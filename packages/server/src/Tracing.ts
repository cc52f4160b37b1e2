import { Config, ConfigProvider, Context, Effect, Layer, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { readable } from "./AppConfig.ts"

/** OpenTelemetry's default, which effect does not have: an endpoint alone is enough. */
const exporter = ConfigProvider.layerAdd(ConfigProvider.fromUnknown({ OTEL_TRACES_EXPORTER: "otlp" }))

const ExportLayer = OtlpTracer.layerFromConfig({ resource: { serviceName: "carillon" } }).pipe(
  Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer, exporter])
)

// Addresses and headers hold signatures, codes and tokens, ours and the platforms', so spans have neither.
const told =
  /^(db|server|error)\.|^http\.(route|request\.method|response\.status_code)$|^(post|target|platform)$/

const discreet = (tracer: Tracer.Tracer): Tracer.Tracer => ({
  ...tracer,
  span: (options) => {
    const span = tracer.span(options)
    const attribute = span.attribute.bind(span)
    span.attribute = (key, value) => {
      if (told.test(key)) attribute(key, value)
    }
    return span
  }
})

/** Read before the exporter reads it, to which an address that is none is a defect. */
const endpoint = readable(Config.option(Config.URL("OTEL_EXPORTER_OTLP_ENDPOINT")))

/** Spans go to OTEL_EXPORTER_OTLP_ENDPOINT; without it none are made. The other OTEL_* variables are read too. */
export const TracingLayer = Layer.effectContext(
  Effect.map(Effect.andThen(endpoint, Layer.build(ExportLayer)), (exporting) =>
    exporting.mapUnsafe.has(Tracer.Tracer.key)
      ? Context.add(exporting, Tracer.Tracer, discreet(Context.get(exporting, Tracer.Tracer)))
      : Context.add(exporting, References.TracerEnabled, false)
  )
)
