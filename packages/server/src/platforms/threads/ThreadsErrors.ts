import { platformRules } from "@carillon/domain"
import { again, refuseBy, refusedFor, refuseOfAccount, type Row } from "../meta/GraphErrors.ts"
import type { Refusal, Refused } from "../PlatformHttp.ts"

const name = "Threads"

const { caption } = platformRules.threads.placements[0]!

const anew: Row = { ...again, discard: true }
const forbidden = (advice: string): Row => ({ class: "forbidden", advice })
const invalid = (advice: string): Row => ({ class: "invalid", advice })
const rejected = (advice: string): Row => ({ class: "media_rejected", advice, discard: true })
const unreachable: Row = {
  class: "media_unreachable",
  advice: "Threads could not fetch the media from this service. Carillon will try again.",
  discard: true
}

/** The refusal of a topic, after which a post is prepared without one. */
export const topicRefused = "4279071"

/** Of whatever does not exist, or is out of reach. */
export const notThere = "100/33"

const bySubcode: Readonly<Record<string, Row>> = {
  2207042: {
    class: "quota_exhausted",
    advice: "The account has reached its limit of posts in 24 hours. The post waits."
  },
  2207051: forbidden("Threads considers this post spam. Check the account in the app."),
  2207052: unreachable,
  // The container is not known (any more).
  4279009: anew,
  4279013: forbidden("The account is restricted. Open the Threads app and see what it asks for."),
  [topicRefused]: invalid("Leave topic_tag out or choose another topic.")
}

const byWords: ReadonlyArray<readonly [RegExp, Row]> = [
  [/LINK_LIMIT_EXCEEDED/, invalid(`Use at most ${caption.max_links} different links.`)],
  [/at most 500/, invalid(`Shorten the caption to ${caption.max} characters; an emoji counts as several.`)],
  [/could not be fetched/i, unreachable]
]

/** Threads' rows of the error table, and Meta's for the others: its reference has no list of codes. */
export const refuseThreads = refuseBy(name, ({ error_subcode, error_user_msg = "", message }) => {
  const words = `${message} ${error_user_msg}`
  return bySubcode[String(error_subcode)] ?? byWords.find(([said]) => said.test(words))?.[1]
})

/**
 * The same for `threads_publish`: a post whose publication failed for a passing reason may be live all the same. So may one
 * whose container is gone, because an earlier call whose reply was lost may have used it up.
 */
export const refusePublish =
  (remoteId: string) =>
  (refusal: Refusal): Refused => {
    const refused = refuseThreads(refusal)
    if (refused.code === notThere && refused.message.includes(`'${remoteId}'`))
      return refuseOfAccount(name, remoteId, refuseThreads)(refusal)
    return refused.class === "transient" || refused.code === notThere
      ? { ...refused, class: "ambiguous" }
      : refused
  }

const video = rejected("Encode the video as MP4 with H.264 and AAC, with at most two channels of sound.")

/** https://developers.facebook.com/documentation/threads/troubleshooting, where the ratio is spelled like this. */
const ofContainer: Readonly<Record<string, Row>> = {
  FAILED_DOWNLOADING_VIDEO: unreachable,
  FAILED_PROCESSING_AUDIO: video,
  FAILED_PROCESSING_VIDEO: video,
  INVALID_ASPEC_RATIO: rejected("Use a video between 1:100 and 10:1."),
  INVALID_ASPECT_RATIO: rejected("Use a video between 1:100 and 10:1."),
  INVALID_BIT_RATE: rejected("Encode the video with at most 25 Mbit/s."),
  INVALID_DURATION: rejected("Use a video of at most five minutes."),
  INVALID_FRAME_RATE: rejected("Use a video of 23 to 60 frames per second."),
  INVALID_AUDIO_CHANNELS: video,
  INVALID_AUDIO_CHANNEL_LAYOUT: video
}

/** A container's failure, from its `error_message`. One that Threads does not explain is tried again. */
export const refuseContainer = (said = "UNKNOWN"): Refused =>
  refusedFor(
    name,
    ofContainer[said] ?? byWords.find(([words]) => words.test(said))?.[1] ?? anew,
    said in ofContainer ? said : "container_error",
    said
  )
