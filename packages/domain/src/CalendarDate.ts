import { DateTime, Option, Schema, SchemaGetter } from "effect"
import { onWallClock } from "./WallClock.ts"

const dayMillis = 86_400_000

/** The years in which posts are scheduled. */
const written = /^(19|20|21)\d{2}-\d{2}-\d{2}$/u

const isDate = (text: string) => {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

export const CalendarDate = Schema.String.annotate({ format: "date" }).check(
  Schema.isPattern(written, { expected: "a date such as 2026-12-24" }),
  Schema.makeFilter((text: string) => isDate(text) || "is not a calendar date", {
    expected: "a date such as 2026-12-24"
  })
)

export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMillis).toISOString().slice(0, 10)

/** The instant at which a date begins. Where the clocks skip midnight, the day begins when they have done so. */
export const startOfDate = (date: string, zone: DateTime.TimeZone): DateTime.Utc =>
  DateTime.toUtc(onWallClock(Date.parse(date), zone).at)

const expected = "a date such as 2026-12-24, or an ISO 8601 date and time such as 2026-12-24T09:00:00Z"

export const isCalendarDate: (text: string) => boolean = Schema.is(CalendarDate)

/** A date that there is not is no instant either, though Date reads some. */
const readDateOrTime = (text: string) =>
  isCalendarDate(text) ? text : text.length > 10 ? Option.getOrUndefined(DateTime.make(text)) : undefined

/** A day of the workspace's zone, `2026-12-24`, or an instant, `2026-12-24T09:00:00Z`. */
export const DateOrTime = Schema.String.annotate({ expected })
  .check(
    Schema.isPattern(/^\d{4}-\d{2}-\d{2}([Tt ].{1,40})?$/u, { expected }),
    Schema.makeFilter((text: string) => readDateOrTime(text) !== undefined, { expected })
  )
  .pipe(
    Schema.decodeTo(Schema.Union([Schema.String, Schema.DateTimeUtc]), {
      decode: SchemaGetter.transform((text: string) => readDateOrTime(text)!),
      encode: SchemaGetter.transform((at: string | DateTime.Utc) =>
        typeof at === "string" ? at : DateTime.formatIso(at)
      )
    })
  )
export type DateOrTime = typeof DateOrTime.Type

/** From `start` until just before `stop`. */
export interface Period {
  readonly start?: DateTime.Utc
  readonly stop?: DateTime.Utc
}

/** The period from one day or instant to another, both included: all of the last day, and the millisecond of an instant. */
export const periodOf = (
  from: DateOrTime | undefined,
  to: DateOrTime | undefined,
  zone: DateTime.TimeZone
): Period => ({
  ...(from === undefined ? {} : { start: typeof from === "string" ? startOfDate(from, zone) : from }),
  ...(to === undefined
    ? {}
    : {
        stop:
          typeof to === "string" ? startOfDate(dateAfter(to, 1), zone) : DateTime.add(to, { milliseconds: 1 })
      })
})
