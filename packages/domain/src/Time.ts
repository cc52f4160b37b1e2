import { Schema, SchemaTransformation } from "effect"

/** An instant on the wire: ISO 8601 in UTC with milliseconds, `2026-11-21T09:00:00.000Z`. */
export const Timestamp = Schema.String.annotate({
  format: "date-time",
  expected: "an ISO 8601 date and time"
}).pipe(Schema.decodeTo(Schema.DateTimeUtc, SchemaTransformation.dateTimeUtcFromString))

/** An IANA time zone name, `Europe/Paris`. */
export const TimeZoneName = Schema.String.check(
  Schema.isMaxLength(100),
  Schema.makeFilter((name: string) => isTimeZone(name), {
    expected: "an IANA time zone name such as Europe/Paris or UTC"
  })
)

const isTimeZone = (name: string): boolean => {
  try {
    // Offsets such as +01:00 are accepted by Intl but are no zone: they have no clock changes.
    return !/^[+-]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== ""
  } catch {
    return false
  }
}
