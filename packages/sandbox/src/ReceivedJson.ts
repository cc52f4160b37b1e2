import { Effect, Schema, type SchemaAST } from "effect"
import type { Arrived, Refused } from "./Exchange.ts"

/** Reads a body of JSON by its schema; the words of the refusal are the network's. */
export const receivedJson =
  (refusal: (message: string) => Refused, options?: SchemaAST.ParseOptions) =>
  <A>({ request }: Arrived, schema: Schema.Decoder<A>) =>
    request.text.pipe(
      Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(schema), options)),
      Effect.catchTag("SchemaError", ({ message }) => refusal(message))
    )
