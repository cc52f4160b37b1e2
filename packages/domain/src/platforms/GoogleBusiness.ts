import { Schema } from "effect"
import { isCalendarDate } from "../CalendarDate.ts"
import { onePlacement, type OptionConflict, type PostOptions, rulesOf } from "../Platform.ts"
import { filledText, language, named, option, overrides, webAddress } from "./OptionFields.ts"

/** A date, `2026-12-24`, or a time of it on the location's clocks, `2026-12-24T18:00`. */
const dayOrTime = /^(\d{4}-\d\d-\d\d)(?:T((?:[01]\d|2[0-3]):[0-5]\d))?$/u

/** The date and the time in such a text; without a time it is the whole day. */
export const businessTime = (text: string): { readonly date: string; readonly time?: string } | undefined => {
  const [, date, time] = dayOrTime.exec(text) ?? []
  if (date === undefined || !isCalendarDate(date)) return undefined
  return time === undefined ? { date } : { date, time }
}

const expected = "a date such as 2026-12-24, or a date and time without a zone such as 2026-12-24T18:00"

const businessClock = Schema.String.check(
  Schema.isPattern(dayOrTime, { expected }),
  Schema.makeFilter((text: string) => businessTime(text) !== undefined || "is not a calendar date", {
    expected
  })
)

/** Google's own form takes no more; what its API takes is not documented. */
const usualTitle = 58

const eventOptions = ["event_title", "event_start", "event_end"] as const
const offerOptions = ["offer_coupon_code", "offer_redeem_url", "offer_terms"] as const
const buttonOptions = ["cta_action_type", "cta_url"] as const

const conflict = (option: string, rule: string, sentence: string): OptionConflict => ({
  option,
  rule,
  sentence
})

const buttonConflicts = ({ cta_action_type: action, cta_url: url }: PostOptions["options"]) => {
  if (action === "CALL")
    return url === undefined
      ? []
      : [
          conflict(
            "cta_url",
            "call_without_url",
            "calls the business with CALL and opens no URL; leave cta_url out."
          )
        ]
  if ((action === undefined) === (url === undefined)) return []
  return url === undefined
    ? [
        conflict(
          "cta_action_type",
          "action_with_url",
          `needs cta_url, the URL that ${String(action)} opens; add it.`
        )
      ]
    : [
        conflict(
          "cta_url",
          "url_with_action",
          "accepts cta_url only with cta_action_type, which says what the button does; add it or leave cta_url out."
        )
      ]
}

const eventConflicts = (topic: string, options: PostOptions["options"]) => {
  const missing = eventOptions.filter((name) => options[name] === undefined)
  if (missing.length > 0)
    return missing.map((name) =>
      conflict(name, "event_is_whole", `needs ${name} with topic_type ${topic}; add it.`)
    )
  const [start, end] = [options["event_start"], options["event_end"]].map((at) => businessTime(String(at)))
  // Their own schema refuses what cannot be read.
  if (start === undefined || end === undefined) return []
  if ((start.time === undefined) !== (end.time === undefined))
    return [
      conflict(
        "event_end",
        "both_have_times",
        "accepts a time of day in both event_start and event_end, or in neither; add the other or leave both out."
      )
    ]
  const isOver =
    start.time === undefined
      ? end.date < start.date
      : `${end.date}T${end.time}` <= `${start.date}T${start.time}`
  return isOver
    ? [
        conflict(
          "event_end",
          "ends_after_start",
          `needs an event_end after event_start, which is ${String(options["event_start"])}; this one is ${String(options["event_end"])}. Change one of them.`
        )
      ]
    : []
}

const conflictsOf = ({ options }: PostOptions): ReadonlyArray<OptionConflict> => {
  const topic = String(options["topic_type"] ?? "STANDARD")
  const given = (names: ReadonlyArray<string>) => names.filter((name) => options[name] !== undefined)
  return [
    ...(topic === "OFFER"
      ? given(buttonOptions).map((name) =>
          conflict(
            name,
            "offer_without_button",
            `shows no button on an offer; leave ${name} out, and give the URL of the offer as offer_redeem_url.`
          )
        )
      : [
          ...buttonConflicts(options),
          ...given(offerOptions).map((name) =>
            conflict(
              name,
              "only_with_offer",
              `accepts ${name} only with topic_type OFFER; set it or leave ${name} out.`
            )
          )
        ]),
    ...(topic === "STANDARD"
      ? given(eventOptions).map((name) =>
          conflict(
            name,
            "only_with_event",
            `accepts ${name} only with topic_type EVENT or OFFER; set it or leave ${name} out.`
          )
        )
      : eventConflicts(topic, options))
  ]
}

/** Digits that are certainly no telephone number: of addresses, dates and spans of years. */
const otherDigits =
  /https?:\/\/\S+|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d\s*[-–/]\s*(?:19|20)\d\d\b/giu
const telephone = /(?<![\w.,])(?:\+|\(\+?)?\d(?:[\s().\-/]{0,2}\d){6,14}(?![\w%]|[.,]\d)/u

const hasTelephone = (text: string) => telephone.test(text.replaceAll(otherDigits, "|"))

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts */
export const googleBusinessRules = rulesOf("google_business", {
  ...onePlacement({
    caption: { unit: "code_points", max: 1500 },
    text_only: true,
    images: {
      max_count: 1,
      mime_types: ["image/jpeg", "image/png"],
      max_bytes: 5_000_000,
      min_width: 400,
      min_height: 300
    },
    fetched: ["image"],
    mixed: false
  }),
  conflicts: conflictsOf,
  warnings: ({ event_title: title, offer_terms: terms }, _account, caption) => [
    ...([caption, title, terms].some((one) => typeof one === "string" && hasTelephone(one))
      ? [
          "may reject the post: its text seems to have a telephone number. Take it out, and use the button CALL."
        ]
      : []),
    ...(typeof title === "string" && [...title].length > usualTitle
      ? [
          `may reject event_title: it has ${[...title].length} characters, and Google's own form takes ${usualTitle}.`
        ]
      : [])
  ]
})

export const GoogleBusinessOptions = Schema.Struct({
  ...overrides,
  topic_type: option(
    named({ STANDARD: "Update", EVENT: "Event", OFFER: "Offer" }),
    "Kind of post",
    "What the post tells. Default: an update. `EVENT` and `OFFER` need `event_title`, `event_start` and `event_end`."
  ),
  cta_action_type: option(
    named({
      BOOK: "Book",
      ORDER: "Order online",
      SHOP: "Shop",
      LEARN_MORE: "Learn more",
      SIGN_UP: "Sign up",
      CALL: "Call now"
    }),
    "Button",
    "The button below the post. Default: none. `CALL` calls the business; the others open `cta_url`. Not with `OFFER`."
  ),
  cta_url: option(
    webAddress,
    "Button URL",
    "The URL that the button opens. Required by every button except `CALL`, which takes none."
  ),
  event_title: option(
    filledText(300),
    "Event title",
    "The name of the event or of the offer. Google's own form takes 58 characters. Only with `EVENT` or `OFFER`."
  ),
  event_start: option(
    businessClock,
    "Starts",
    "When the event or the offer begins, on the clocks of the location: a date, or a date and time such as 2026-12-24T18:00. Only with `EVENT` or `OFFER`."
  ),
  event_end: option(
    businessClock,
    "Ends",
    "When it ends, in the same form. An end without a time includes that day. Only with `EVENT` or `OFFER`."
  ),
  offer_coupon_code: option(
    filledText(100),
    "Coupon code",
    "The code that customers show or enter. Default: none. Only with `OFFER`."
  ),
  offer_redeem_url: option(
    webAddress,
    "Redeem URL",
    "The http or https URL where customers use the offer. Default: none. Only with `OFFER`."
  ),
  offer_terms: option(
    filledText(5000),
    "Terms",
    "The terms and conditions of the offer. Default: none. Only with `OFFER`."
  ),
  language_code: option(
    language,
    "Language",
    "The language of the text, such as en or pt-BR. Default: not stated."
  )
}).annotate({ identifier: "GoogleBusinessOptions" })
