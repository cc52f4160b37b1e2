import { Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"

/** Spans go to OTEL_EXPORTER_OTLP_ENDPOINT; without it nowhere. The other OTEL_* variables are read too. */
export const TracingLayer = OtlpTracer.layerFromConfig({ resource: { serviceName: "carillon" } }).pipe(
  Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer])
)
