import { hasProperty } from "effect/Predicate"
import type { SqlError } from "effect/sql"

/** The message of the database or of the network. */
export const explainSqlError = ({ reason }: SqlError.SqlError): string =>
  reason.cause instanceof Error && reason.cause.message !== ""
    ? reason.cause.message
    : (reason.message ?? reason._tag)

/** PostgreSQL's code; empty where the network failed. */
export const sqlState = ({ reason: { cause } }: SqlError.SqlError): string =>
  hasProperty(cause, "code") && hasProperty(cause, "severity") ? String(cause.code) : ""

/** What an operator can mend: the connection, a standby, rights, room, a database that ends. undefined: the statement is wrong. */
export const adviceOn = (error: SqlError.SqlError): string | undefined =>
  /^($|08|25|28|42501|53|57|58)/.test(sqlState(error))
    ? "See that the database runs, takes writes, has room and lets this user make tables, then try again."
    : undefined
