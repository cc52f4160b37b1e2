import { platformRules } from "@carillon/domain"
import { Option, Schema } from "effect"
import {
  again,
  reconnect,
  refuseBy,
  refusedFor,
  refuseOfCommit,
  refuseOfUpload,
  type Row
} from "../meta/GraphErrors.ts"
import type { PublishError } from "../Platform.ts"
import type { Refusal, Refused } from "../PlatformHttp.ts"

const name = "Facebook"

const forbidden = (advice: string): Row => ({ class: "forbidden", advice })
const invalid = (advice: string): Row => ({ class: "invalid", advice })
const rejected = (advice: string): Row => ({ class: "media_rejected", advice, discard: true })
const anew: Row = { class: "transient", advice: "Carillon will send the files again.", discard: true }

const content = forbidden("Facebook refuses this content. Change the post, and check the Page on Facebook.")
const duplicate = invalid("The Page has posted this already. Change the post.")
const { images } = platformRules.facebook.placements[0]!

/**
 * By subcode, else by code: https://developers.facebook.com/docs/graph-api/guides/error-handling, and what publishers report of
 * Pages.
 */
const rows: Readonly<Record<string, Row>> = {
  506: duplicate,
  1346003: content,
  1349125: invalid("Change the post's content or options."),
  1363030: anew,
  1363033: anew,
  1363037: anew,
  1363041: anew,
  1363047: again,
  1366046: rejected(`Use a picture of at most ${images!.max_bytes! / 1_000_000} MB.`),
  1366051: duplicate,
  1390008: { class: "rate_limited", advice: "The Page posts too fast. Carillon will try again." },
  1404006: forbidden("Log in to Facebook and pass the security check that it asks for."),
  1404078: forbidden(
    "Open the Page on Facebook and complete Page Publishing Authorization, then send the post again."
  ),
  1404102: content,
  1404112: forbidden(
    "Facebook has limited the account for some days. Check it on Facebook, then send the post again."
  ),
  1609008: invalid("Facebook takes no link to itself. Remove the link."),
  1609010: again,
  2061006: invalid("Correct the link."),
  2069019: rejected("Encode the file again or choose another one."),
  4854002: forbidden("Confirm your identity in the Facebook app, then send the post again.")
}

type GraphError = Parameters<Parameters<typeof refuseBy>[1]>[0]

const rowOf = ({ code, error_subcode, message }: GraphError): Row | undefined => {
  const row = rows[String(error_subcode)] ?? rows[String(code)]
  if (row !== undefined) return row
  if (/must be granted before impersonating|posted to a page as the page itself/i.test(message))
    return reconnect
  return code === 100 && /no permission/i.test(message)
    ? forbidden("Ask an administrator of the Page for the task Content, then connect the Page again.")
    : undefined
}

/** Facebook's rows of the error table, and Meta's for the others. */
export const refuseGraph = refuseBy(name, rowOf)

/** The same for calls that name what `prepare` sent: of what Facebook no longer has, everything is sent again. */
export const refuseOfFiles = refuseBy(name, (error) => {
  const { code, error_subcode, message } = error
  const isGone = error_subcode === 33 || /media_fbid|photo_id|video_id|upload_session_id/.test(message)
  return rowOf(error) ?? (code === 100 && isGone ? anew : undefined)
})

/** The same for the commit. */
export const refuseCommit = refuseOfCommit(refuseOfFiles)

/** The Page has a post of the same content, which may be this one. */
export const isDuplicate = ({ code }: Pick<Refused, "code">): boolean => /^506\b|\b1366051$/.test(code)

/** The picture is in a story already, which may be this one. */
export const isUsedPhoto = (error: Pick<PublishError, "code" | "platform_response">): boolean =>
  isDuplicate(error) || (/^100\b/.test(error.code) && /photo_id/.test(error.platform_response ?? ""))

/** Errors of the host that takes the bytes of reels and stories. */
export const refuseUpload = refuseOfUpload(name, refuseOfFiles, anew)

/** A video that Facebook gave up. */
export const refuseVideo = (said: string): Refused =>
  refusedFor(
    name,
    rejected("Encode the video as MP4 with H.264 and AAC, or choose another one."),
    "video_error",
    said
  )

const offset = Schema.Union([Schema.Finite, Schema.FiniteFromString])
/** A range of a video: its first byte, and the one behind its last. */
export const Offsets = Schema.Struct({ start_offset: offset, end_offset: offset })
export type Offsets = typeof Offsets.Type

const decodeWrongOffset = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.Struct({ error_subcode: Schema.Literal(1363037), error_data: Offsets })
  })
)

/** Where an upload goes on that had other bytes than Facebook expects. */
export const offsetsIn = ({ body }: Refusal): Offsets | undefined =>
  Option.getOrUndefined(Option.map(decodeWrongOffset(body), ({ error }) => error.error_data))
