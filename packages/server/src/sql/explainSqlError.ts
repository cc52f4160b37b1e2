import type { SqlError } from "effect/sql"

/** The database's own words, or those of the network. */
export const explainSqlError = ({ reason }: SqlError.SqlError): string =>
  reason.cause instanceof Error && reason.cause.message !== ""
    ? reason.cause.message
    : (reason.message ?? reason._tag)
