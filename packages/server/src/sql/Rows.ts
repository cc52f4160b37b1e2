import { Schema, SchemaGetter } from "effect"

/** `timestamptz` from the driver. */
export const Instant = Schema.DateTimeUtcFromDate

/** `bigint` columns that hold numbers JavaScript can hold: ids and sizes. */
export const Int8 = Schema.BigInt.pipe(
  Schema.decodeTo(Schema.Int, {
    decode: SchemaGetter.transform((value) => Number(value)),
    encode: SchemaGetter.transform((value) => BigInt(value))
  })
)

/** Numbers for a `bigint[]`. The driver gives small and large ones different types, and refuses an array of both. */
export const int8s = (numbers: ReadonlyArray<number>) => numbers.map(BigInt)
