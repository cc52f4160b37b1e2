import { platformRules } from "@carillon/domain"
import { again, refuseBy, refusedFor, refuseOfCommit, refuseOfUpload, type Row } from "../meta/GraphErrors.ts"
import type { Refusal, Refused } from "../PlatformHttp.ts"

const name = "Instagram"

const anew = { ...again, discard: true } as const
const rejected = (advice: string): Row => ({ class: "media_rejected", advice, discard: true })
const invalid = (advice: string): Row => ({ class: "invalid", advice, discard: true })

const named = (placement: string) =>
  platformRules.instagram.placements.find(({ name }) => name === placement)!
const { caption, images } = named("feed")
const carousel = named("carousel")

/** By subcode: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes */
const bySubcode: Readonly<Record<string, Row>> = {
  2207001: again,
  2207003: { class: "media_unreachable", advice: "Carillon will try again.", discard: true },
  2207004: rejected(`Use a picture of at most ${images!.max_bytes! / 1_000_000} MB.`),
  2207005: rejected("Use a JPEG."),
  2207006: anew,
  2207008: again,
  2207009: rejected(`Use a picture between 4:5 and ${images!.max_ratio}:1.`),
  2207010: invalid(
    `Shorten the caption: at most ${caption.max} characters, ${caption.max_hashtags} hashtags and ${caption.max_mentions} mentions.`
  ),
  2207020: anew,
  2207023: rejected("Choose another kind of media."),
  2207026: rejected("Encode the video as MP4 with H.264 and AAC."),
  2207027: again,
  2207032: anew,
  2207028: invalid(`A carousel has ${carousel.min_count} to ${carousel.max_count} pictures and videos.`),
  2207042: {
    class: "quota_exhausted",
    advice: "The account has reached its limit of posts in 24 hours. The post waits."
  },
  2207050: {
    class: "forbidden",
    advice: "The account is restricted. Open the Instagram app and see what it asks for."
  },
  2207051: {
    class: "forbidden",
    advice: "Instagram considers this post spam. Check the account in the app."
  },
  2207052: {
    class: "media_unreachable",
    advice: "Instagram could not fetch the media from this service. Carillon will try again.",
    discard: true
  },
  2207053: anew,
  2207057: invalid("Set video_cover_timestamp_ms to a time within the video."),
  2207077: {
    class: "media_unreachable",
    advice: "Instagram could not fetch the video from this service. Carillon will try again.",
    discard: true
  },
  2207081: {
    class: "forbidden",
    advice: "Trial reels are not available to this account. Leave is_trial_reel out."
  },
  2207082: anew
}

const notProfessional: Row = {
  class: "forbidden",
  advice:
    "This is a personal account. Change it to a professional account in the Instagram app (Settings, Account type and tools, " +
    "Switch to professional account), and connect it again."
}

/** Instagram's rows of the error table, and Meta's for the others. */
export const refuseGraph = refuseBy(name, ({ message, error_subcode }) =>
  /not an instagram business/i.test(message) ? notProfessional : bySubcode[String(error_subcode)]
)

/** The same for the commit of a comment. */
export const refuseComment = refuseOfCommit(refuseGraph)

/** The same for `media_publish`: an error that the container was not publishable leaves nothing open. */
export const refusePublish = (refusal: Refusal): Refused => {
  const refused = refuseGraph(refusal)
  return refused.code.endsWith("/2207027") ? refused : refuseComment(refusal)
}

/** Errors of the host that takes the bytes. */
export const refuseUpload = refuseOfUpload(name, refuseGraph, anew)

const subcodeIn = (status: string) => /\b22\d{5}\b/.exec(status)?.[0]

/** Whether a container's `status` tells what became of it. */
export const isKnownFailure = (status: string): boolean => (subcodeIn(status) ?? "") in bySubcode

/** A container's failure, from its `status`. */
export const refuseContainer = (status: string): Refused => {
  const subcode = subcodeIn(status)
  const row = subcode === undefined ? undefined : bySubcode[subcode]
  const said = status.replace(/^Error:\s*/, "")
  return refusedFor(
    name,
    { ...(row ?? rejected("Encode the file again or choose another one.")), discard: true },
    subcode ?? "container_error",
    said
  )
}
