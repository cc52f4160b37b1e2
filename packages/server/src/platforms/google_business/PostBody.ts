import { businessTime } from "@carillon/domain"
import type { Schema } from "effect"
import type { PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"

const optionsOf = publishOptions("google_business")

type Fields = { readonly [name: string]: Schema.Json }

const given = (fields: { readonly [name: string]: Schema.Json | undefined }): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

/** Half of a `TimeInterval`; without a time it is a whole day. */
const moment = (which: "start" | "end", text: string | undefined): Fields => {
  const found = text === undefined ? undefined : businessTime(text)
  if (found === undefined) return {}
  const [year, month, day] = found.date.split("-").map(Number) as [number, number, number]
  const [hours, minutes] = found.time?.split(":").map(Number) ?? []
  return {
    [`${which}Date`]: { year, month, day },
    ...(hours === undefined ? {} : { [`${which}Time`]: { hours, minutes: minutes!, seconds: 0, nanos: 0 } })
  }
}

/** What tells posts apart besides their words. */
export const topicOf = (request: PublishRequest) => {
  const { event_title, topic_type = "STANDARD" } = optionsOf(request)
  return { topicType: topic_type, title: event_title ?? "" }
}

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts#LocalPost */
export const postBody = (request: PublishRequest, photo: string | undefined): Fields => {
  const options = optionsOf(request)
  const { cta_action_type: actionType, cta_url: url, event_end, event_start } = options
  const { title, topicType } = topicOf(request)
  const offer = given({
    couponCode: options.offer_coupon_code,
    redeemOnlineUrl: options.offer_redeem_url,
    termsConditions: options.offer_terms
  })
  return given({
    languageCode: options.language_code,
    summary: request.caption === "" ? undefined : request.caption,
    topicType,
    callToAction: actionType === undefined ? undefined : given({ actionType, url }),
    event:
      topicType === "STANDARD"
        ? undefined
        : { title, schedule: { ...moment("start", event_start), ...moment("end", event_end) } },
    offer: Object.keys(offer).length === 0 ? undefined : offer,
    media: photo === undefined ? undefined : [{ mediaFormat: "PHOTO", sourceUrl: photo }]
  })
}
