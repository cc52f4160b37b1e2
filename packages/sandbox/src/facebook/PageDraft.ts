import { Option, Schema } from "effect"
import type { Refused } from "../Exchange.ts"
import { graphError } from "../meta/GraphErrors.ts"
import { valueOf } from "../meta/GraphParameters.ts"
import type { Draft } from "./Facebook.ts"

const maximumText = 63_206

/** What a publication shows elsewhere, or what is of the upload alone. */
const elsewhere =
  /^(access_token|alt_text_custom|attached_media.*|caption|description|end_offset|file_size|file_url|message|photo_id|published|source|start_offset|title|upload_phase|upload_session_id|url|video_file_chunk|video_id|video_state)$/

/** The post that a call on an edge of a Page describes: the text is in one parameter, all else in the details. */
export const draftOf = (given: URLSearchParams, edge: string, text: "message" | "description"): Draft => ({
  title: given.get("title"),
  text: given.get(text) ?? (text === "message" ? given.get("caption") : null) ?? "",
  details: {
    edge,
    ...Object.fromEntries(
      [...given].filter(([name]) => !elsewhere.test(name)).map(([name, value]) => [name, valueOf(value)])
    )
  }
})

const Attached = Schema.Struct({ media_fbid: Schema.String })
const decodeAttached = Schema.decodeUnknownOption(Schema.fromJsonString(Attached))
const decodeList = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Attached)))

/** The ids of `attached_media`, a list in JSON, or an object for each index; undefined: it is neither. */
export const attachedOf = (given: URLSearchParams): ReadonlyArray<string> | undefined => {
  const list = given.get("attached_media")
  const indexed = [...given].filter(([name]) => /^attached_media\[\d+\]$/.test(name))
  const attached =
    list === null ? Option.all(indexed.map(([, value]) => decodeAttached(value))) : decodeList(list)
  return Option.getOrUndefined(Option.map(attached, (all) => all.map(({ media_fbid }) => media_fbid)))
}

/** What Facebook does not take of a text and its link. */
export const textProblem = ({ details, text }: Draft): Refused | undefined => {
  if ([...text].length > maximumText) {
    return graphError("100", `(#100) Param message must be at most ${maximumText} characters long`)
  }
  const link = details["link"]
  if (link === undefined) return
  const address = typeof link === "string" && URL.canParse(link) ? new URL(link) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol)) return graphError("100/2061006")
  return /(^|\.)facebook\.com$/.test(address.hostname) ? graphError("100/1609008") : undefined
}
