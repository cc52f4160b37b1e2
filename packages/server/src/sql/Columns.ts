import type { PgClient } from "@effect/sql-pg"
import { DateTime, type Schema } from "effect"
import { Statement } from "effect/sql"
import { int8s } from "./Rows.ts"

type SqlType =
  | "bigint[]"
  | "boolean"
  | "int"
  | "jsonb"
  | "text"
  | "text[]"
  | "timestamptz"
  | "uuid"
  | "uuid[]"

/** A column of a table: its type in SQL, what the driver gives of it, and what is stored of a value as JSON. */
export interface Column<S extends Schema.Top = Schema.Top, Type extends SqlType = SqlType> {
  readonly type: Type
  readonly schema: S
  readonly encode: (value: any) => unknown
}

export interface Columns {
  readonly [name: string]: Column
}

export const column = <S extends Schema.Top, Type extends SqlType>(
  type: Type,
  schema: S,
  encode: (value: S["Type"]) => unknown = (value) =>
    type === "timestamptz" ? iso(value as DateTime.Utc | null) : value
): Column<S, Type> => ({ type, schema, encode })

/** An instant as JSON. */
export const iso = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

/** Their names as a statement lists them, those of the table `of`. */
export const namesOf = (columns: Columns, of?: string) =>
  Object.keys(columns)
    .map((name) => (of === undefined ? name : `${of}.${name}`))
    .join(", ")

/** Their names and types, as `json_to_recordset` needs them. */
export const typesOf = (columns: Columns) =>
  Object.entries(columns)
    .map(([name, { type }]) => `${name} ${type}`)
    .join(", ")

/** The schemas of a row. */
export const schemasOf = <C extends Columns>(columns: C) =>
  Object.fromEntries(Object.entries(columns).map(([name, { schema }]) => [name, schema])) as {
    readonly [Name in keyof C]: C[Name]["schema"]
  }

/** A row for `json_to_recordset`. */
export const encoded = <C extends Columns>(
  columns: C,
  row: { readonly [Name in keyof C]: C[Name]["schema"]["Type"] }
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(columns).map(([name, { encode }]) => [name, encode(row[name])]))

const listed = Statement.join(", ", false)

/** What `set` gives each column, with a type where the driver cannot tell it. */
export const assignments =
  (sql: PgClient.PgClient) =>
  <C extends Columns>(columns: C, row: { readonly [Name in keyof C]: C[Name]["schema"]["Type"] }) =>
    listed(
      Object.entries(columns).map(([name, column]) => {
        const type = column.type === "text" || column.type === "boolean" ? "" : `::${column.type}`
        return sql`${sql.literal(name)} = ${parameter(sql, column, row[name])}${sql.literal(type)}`
      })
    )

const parameter = (sql: PgClient.PgClient, { encode, type }: Column, value: any) => {
  if (value === null) return null
  if (type === "jsonb") return sql.json(encode(value))
  if (type === "timestamptz") return DateTime.toDateUtc(value)
  return type === "bigint[]" ? int8s(value) : value
}
