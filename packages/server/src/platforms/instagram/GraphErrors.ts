import { Option, Schema } from "effect"
import { type Refusal, type Refused, refusedByStatus } from "../PlatformHttp.ts"

const name = "Instagram"

const GraphError = Schema.Struct({
  error: Schema.Struct({
    message: Schema.String,
    code: Schema.Finite,
    error_subcode: Schema.optionalKey(Schema.Finite),
    is_transient: Schema.optionalKey(Schema.Boolean),
    error_user_msg: Schema.optionalKey(Schema.String)
  })
})
const UploadError = Schema.Struct({
  debug_info: Schema.Struct({ type: Schema.String, message: Schema.String })
})

const decodeGraphError = Schema.decodeUnknownOption(GraphError)
const decodeUploadError = Schema.decodeUnknownOption(UploadError)

interface Row {
  readonly class: Refused["class"]
  readonly advice: string
  /** The container is of no use any more. */
  readonly discard?: boolean
}

const again = { class: "transient", advice: "It will be tried again." } as const
const anew = { ...again, discard: true } as const
const rejected = (advice: string): Row => ({ class: "media_rejected", advice, discard: true })
const invalid = (advice: string): Row => ({ class: "invalid", advice, discard: true })

/** By subcode: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes */
const bySubcode: Readonly<Record<string, Row>> = {
  2207001: again,
  2207003: { class: "media_unreachable", advice: "It will be tried again.", discard: true },
  2207004: rejected("Use a picture of at most 8 MB."),
  2207005: rejected("Use a JPEG."),
  2207006: anew,
  2207008: again,
  2207009: rejected("Use a picture between 4:5 and 1.91:1."),
  2207010: invalid("Shorten the caption: at most 2200 characters, 30 hashtags and 20 mentions."),
  2207020: anew,
  2207023: rejected("Choose another kind of media."),
  2207026: rejected("Encode the video as MP4 with H.264 and AAC."),
  2207027: again,
  2207032: anew,
  2207028: invalid("A carousel has 2 to 10 pictures and videos."),
  2207042: {
    class: "quota_exhausted",
    advice: "The account's limit of posts in 24 hours is reached; the post waits."
  },
  2207050: {
    class: "forbidden",
    advice: "The account is restricted: open the Instagram app and see what it asks for."
  },
  2207051: { class: "forbidden", advice: "Instagram takes this for spam: look at the account in the app." },
  2207052: {
    class: "media_unreachable",
    advice: "Instagram could not fetch the media from this service; it will be tried again.",
    discard: true
  },
  2207053: anew,
  2207057: invalid("Set video_cover_timestamp_ms to a time within the video."),
  2207077: {
    class: "media_unreachable",
    advice: "Instagram could not fetch the video from this service; it will be tried again.",
    discard: true
  },
  2207081: { class: "forbidden", advice: "The account has no trial reels; leave is_trial_reel out." },
  2207082: anew
}

/** Meta's own codes, for errors whose subcode says no more. */
const byCode = (code: number): Row | undefined => {
  if (code === 190) return { class: "reconnect", advice: "Connect the account again." }
  if (code === 10 || (code >= 200 && code <= 299)) {
    return {
      class: "forbidden",
      advice: "A permission is missing: connect the account again and allow everything."
    }
  }
  // 80002 is Instagram's own limit, 80001 that of Pages.
  if ([4, 17, 32, 613, 80001, 80002].includes(code)) {
    return { class: "rate_limited", advice: "Meta wants fewer requests for a while. It will be tried again." }
  }
  if (code === 368)
    return { class: "forbidden", advice: "Meta has blocked this for now: look at the account in the app." }
  if (code === 101) return { class: "config", advice: "The app's id or secret is wrong: tell the operator." }
  if (code === 1 || code === 2 || code === -1 || code === -2) return again
  return undefined
}

const notProfessional: Row = {
  class: "forbidden",
  advice:
    "The account is a personal one. Change it to a professional account in the Instagram app (Settings, Account type and tools, " +
    "Switch to professional account), and connect it again."
}

/** The error table of the Graph API. An error that is not named here goes by its status. */
export const refuseGraph = ({ status, body }: Refusal): Refused =>
  Option.match(decodeGraphError(body), {
    onNone: () => refusedByStatus(name, status),
    onSome: ({ error }) => {
      const { message, code, error_subcode: subcode, is_transient, error_user_msg: forUsers } = error
      const dead = code === 190 || message.includes("session has been invalidated")
      const row = dead
        ? byCode(190)
        : /not an instagram business/i.test(message)
          ? notProfessional
          : (bySubcode[String(subcode)] ?? byCode(code) ?? (is_transient === true ? again : undefined))
      const said = {
        code: subcode === undefined ? String(code) : `${code}/${subcode}`,
        message: forUsers ?? message
      }
      if (row === undefined) return refusedByStatus(name, status, said)
      return { ...toRefused(row, said.code, said.message), ...(dead ? { token_expired: true } : {}) }
    }
  })

/** The same for calls of the account's own id, of which an account that is out of reach looks as if it did not exist. */
export const refuseOfAccount =
  (remoteId: string, refuse: (refusal: Refusal) => Refused = refuseGraph) =>
  (refusal: Refusal): Refused => {
    const refused = refuse(refusal)
    const [, missing = remoteId] = /\bID '(\d+)'/.exec(refused.message) ?? []
    return refused.code === "100/33" && missing === remoteId
      ? {
          ...refused,
          class: "reconnect",
          message: `${name} does not let this service see the account any more. Connect it again.`
        }
      : refused
  }

/**
 * The same for `media_publish`: a post whose publication failed for a passing reason may be live all the same, so
 * the platform is asked. An error that the container was not publishable leaves nothing open.
 */
export const refusePublish = (refusal: Refusal): Refused => {
  const refused = refuseGraph(refusal)
  const certain = refused.discard_handle === true || refused.code.endsWith("/2207027")
  return refused.class === "transient" && !certain ? { ...refused, class: "ambiguous" } : refused
}

/** Errors of the host that takes the bytes. */
export const refuseUpload = (refusal: Refusal): Refused =>
  Option.match(decodeUploadError(refusal.body), {
    onNone: () => refuseGraph(refusal),
    onSome: ({ debug_info: { type, message } }) => {
      if (type === "NotAuthorizedError" || refusal.status === 401) {
        return { ...toRefused(byCode(190)!, type, message), token_expired: true }
      }
      return toRefused(type === "ProcessingFailedError" ? anew : again, type, message)
    }
  })

const subcodeIn = (status: string) => /\b22\d{5}\b/.exec(status)?.[0]

/** Whether a container's `status` tells what became of it. */
export const isKnownFailure = (status: string): boolean => (subcodeIn(status) ?? "") in bySubcode

/** A container's failure, from its `status`. */
export const refuseContainer = (status: string): Refused => {
  const subcode = subcodeIn(status)
  const row = subcode === undefined ? undefined : bySubcode[subcode]
  const said = status.replace(/^Error:\s*/, "")
  return toRefused(
    { ...(row ?? rejected("Encode the file again or choose another one.")), discard: true },
    subcode ?? "container_error",
    said
  )
}

const toRefused = ({ class: errorClass, advice, discard }: Row, code: string, said: string): Refused => ({
  class: errorClass,
  code,
  message: `${name} says "${said}". ${advice}`,
  ...(discard === true ? { discard_handle: true } : {})
})
