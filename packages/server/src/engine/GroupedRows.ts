import { statesBefore, type TargetEvent } from "@carillon/domain"
import { PgTypes } from "@effect/sql-pg"
import { type DateTime, Result } from "effect"

/** The order in which groups lock targets. */
export const byId = (one: { readonly id: string }, other: { readonly id: string }) =>
  one.id < other.id ? -1 : 1

/** A typed column of a batch's rows: the driver cannot infer the type when all are null. */
const column = (oid: number) => (values: ReadonlyArray<unknown>) =>
  Result.getOrThrow(PgTypes.array(values, oid))
export const texts = column(PgTypes.OID.text)
export const instants = (values: ReadonlyArray<DateTime.Utc | null>) =>
  column(PgTypes.OID.timestamptz)(values.map((at) => at?.epochMilliseconds ?? null))
/** Text, because PostgreSQL reads text into JSON faster than it reads rows out of JSON. */
export const documents = (values: ReadonlyArray<unknown>) =>
  texts(values.map((one) => (one === null ? null : JSON.stringify(one))))

/** The states from which an event may lead, as a list in SQL. */
export const statesBeforeAs = (event: TargetEvent) =>
  `(${statesBefore(event)
    .map((state) => `'${state}'`)
    .join(", ")})`

/**
 * This limits nothing, but the planner then expects a tenth of the rows and looks each up. Without it, it would read
 * a small table whole, and the prepared statement would keep that plan when the table has grown.
 */
export const few = "limit (select 1000000)"
