import { Context } from "effect"
import type { OpenApi } from "effect/http-api"

/**
 * What a POST does beyond reading, as the annotation of its endpoint; it decides how `Idempotency-Key` is kept.
 *
 * - `database` (the default): it only writes to the database. Its writes and the record of the key are one transaction,
 *   so it must not wait for anything else.
 * - `statement`: the same, and its service writes the record of the key itself, in the statement that writes the rest. For
 *   what is asked often.
 * - `outside`: it also waits for something outside of the database, a platform for example. The key is marked as running
 *   before; where a process died in between it is run again, so it has to bear that.
 */
export const PostEffect = Context.Reference<"database" | "statement" | "outside">(
  "@carillon/domain/api/PostEffect",
  {
    defaultValue: () => "database"
  }
)

/** `Idempotency-Key`: 1 to 255 printable ASCII characters. */
export const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/u

const parameter = {
  name: "Idempotency-Key",
  in: "header" as const,
  required: false,
  description:
    "Makes it safe to send the request again: for 24 hours the same key with the same body gets the first answer, with " +
    "Idempotency-Replayed: true, and nothing happens twice. Only answers of success are kept.",
  schema: { type: "string", pattern: idempotencyKeyPattern.source }
}

const replayed = {
  description: "true: this is the first answer to the same request again.",
  schema: { type: "string", const: "true" },
  required: false
}

/** What it adds to an operation of the OpenAPI document. */
export const acceptIdempotencyKey = (operation: OpenApi.OpenAPISpecOperation) => {
  operation.parameters.push(parameter)
  operation.responses[409] ??= { description: "" }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) < 300) response.headers = { ...response.headers, "idempotency-replayed": replayed }
  }
}
