import type { SqlError } from "effect/sql"

/** The message of the database or of the network. */
export const explainSqlError = ({ reason }: SqlError.SqlError): string =>
  reason.cause instanceof Error && reason.cause.message !== ""
    ? reason.cause.message
    : (reason.message ?? reason._tag)
