import { Context } from "effect"
import type { OpenApi } from "effect/http-api"

/**
 * The effects of a POST, as the annotation of its endpoint; it decides how `Idempotency-Key` is kept.
 *
 * - `database` (the default): it only writes to the database. Its writes and the record of the key are one transaction,
 *   so it must not wait for anything else.
 * - `statement`: the same, but its service writes the record of the key in the statement that writes the rest. For
 *   frequent calls.
 * - `outside`: it also waits for something outside of the database, such as a platform. The key is marked as running
 *   before; after a crash in between it runs again, and has to tolerate that.
 * - `none`: nothing that a second time would do twice. The header is not accepted.
 */
export const PostEffect = Context.Reference<"database" | "statement" | "outside" | "none">(
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
    "Makes it safe to repeat the request: for 24 hours, the same key with the same body gets the first answer again, with " +
    "Idempotency-Replayed: true, and nothing happens twice. The key with another request, or while the first still runs, gets 409. " +
    "Only successful answers are kept. 1 to 255 printable ASCII characters, such as a UUID.",
  schema: { type: "string", pattern: idempotencyKeyPattern.source }
}

/** A header component of the document. */
export const idempotencyReplayed = {
  description: "true: this repeats the first answer to the same request.",
  schema: { type: "string", const: "true" },
  required: false
}

const replayed = { "idempotency-replayed": { $ref: "#/components/headers/IdempotencyReplayed" } }

/** Adds the header to an operation of the OpenAPI document. */
export const acceptIdempotencyKey = (operation: OpenApi.OpenAPISpecOperation) => {
  operation.parameters.push(parameter)
  operation.responses[409] ??= { description: "" }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) < 300) Object.assign(response, { headers: { ...response.headers, ...replayed } })
  }
}
