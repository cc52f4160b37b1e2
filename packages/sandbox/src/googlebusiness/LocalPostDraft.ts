import { Schema } from "effect"
import type { Violation } from "./GoogleErrors.ts"

const text = Schema.optionalKey(Schema.String)
const number = Schema.optionalKey(Schema.Int)

const Day = Schema.Struct({ year: Schema.Int, month: Schema.Int, day: Schema.Int })
const Time = Schema.Struct({ hours: number, minutes: number, seconds: number, nanos: number })

const format = Schema.Literals(["PHOTO", "VIDEO"])

const fields = {
  languageCode: text,
  summary: text,
  topicType: Schema.optionalKey(Schema.Literals(["STANDARD", "EVENT", "OFFER", "ALERT"])),
  alertType: Schema.optionalKey(Schema.Literal("COVID_19")),
  callToAction: Schema.optionalKey(
    Schema.Struct({
      actionType: Schema.Literals(["BOOK", "ORDER", "SHOP", "LEARN_MORE", "SIGN_UP", "GET_OFFER", "CALL"]),
      url: text
    })
  ),
  event: Schema.optionalKey(
    Schema.Struct({
      title: text,
      schedule: Schema.optionalKey(
        Schema.Struct({ startDate: Day, startTime: Time, endDate: Day, endTime: Time })
      )
    })
  ),
  offer: Schema.optionalKey(Schema.Struct({ couponCode: text, redeemOnlineUrl: text, termsConditions: text }))
}

/** What a client may say of a local post; neither `scheduledTime` nor `recurrenceInfo`, which nobody here sends. */
export const LocalPostDraft = Schema.Struct({
  ...fields,
  media: Schema.optionalKey(Schema.Array(Schema.Struct({ mediaFormat: format, sourceUrl: Schema.String })))
})
export interface LocalPostDraft extends Schema.Schema.Type<typeof LocalPostDraft> {}

/** The same as it is kept: the address of a photo lets its holder read the file. */
export const KeptDraft = Schema.Struct({
  ...fields,
  media: Schema.optionalKey(Schema.Array(Schema.Struct({ mediaFormat: format })))
})
export interface KeptDraft extends Schema.Schema.Type<typeof KeptDraft> {}

export const keptDraft = ({ media, ...rest }: KeptDraft): KeptDraft => ({
  ...rest,
  ...(media === undefined ? {} : { media: media.map(({ mediaFormat }) => ({ mediaFormat })) })
})

const longestSummary = 1500

/** The first rule that it breaks. The number and the words of two of them are on record; the others are like those. */
export const violationOf = (draft: KeptDraft): Violation | undefined => {
  const { alertType, callToAction, event, languageCode, media = [], offer, summary = "", topicType } = draft
  const required = (field: string, message: string) => ({ code: 2, field, message })
  const wrong = (field: string, message: string, value = "") => ({
    code: 3,
    field,
    message,
    value: value.slice(0, 100)
  })
  if (topicType === undefined) return required("topic_type", "Topic type is required for post creation.")
  if (summary.trim() === "" && media.length === 0) return required("summary", "A post has text or media.")
  if ([...summary].length > longestSummary)
    return wrong("summary", `Summary is longer than ${longestSummary} characters.`)
  if (languageCode !== undefined && !/^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(languageCode))
    return wrong("language_code", "Language code is not of BCP 47.", languageCode)
  if ((topicType === "EVENT" || topicType === "OFFER") && !(event?.title && event.schedule !== undefined))
    return required("event", "Event with a title and a schedule is required for this topic type.")
  if (topicType === "ALERT" && alertType === undefined)
    return required("alert_type", "Alert type is required.")
  if (topicType !== "OFFER" && offer !== undefined)
    return wrong("offer", "Offer is for topic type OFFER only.")
  const { actionType, url } = callToAction ?? {}
  if (actionType === "CALL" && url !== undefined)
    return wrong("call_to_action.url", "Url should be unset for CALL.", url)
  if (actionType !== undefined && actionType !== "CALL" && !/^https?:\/\/[\x21-\x7e]+$/.test(url ?? ""))
    return required("call_to_action.url", "Url is required for this action type.")
  if (media.length > 1) return wrong("media", "A post has one media item at most.", String(media.length))
  if (media[0]?.mediaFormat === "VIDEO") return wrong("media.media_format", "A post has no video.", "VIDEO")
  return undefined
}

/** With what people put between the digits, and neither a date nor a part of an address. */
export const hasPhoneNumber = (summary: string): boolean =>
  /\+\d(?:[ ().-]{0,2}\d){8,13}|\(?\b\d{3,5}\)?[ .-]\d{3}[ .-]?\d{3,4}\b/.test(
    summary.replaceAll(/https?:\/\/\S+/g, "")
  )
