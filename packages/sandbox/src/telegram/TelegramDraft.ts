import { Schema } from "effect"
import { Refused } from "../Exchange.ts"

/** Limits of https://core.telegram.org/bots/api, in UTF-16 units. */
const longestText = 4096
const longestCaption = 1024
const photoBytes = 10_000_000

/** A file of a form, as it arrived. */
export interface Arrived {
  readonly size: number
  readonly filename: string
}

/** The methods that make a message with one file, and the parameter of the file. */
export const filed: Readonly<Record<string, string>> = {
  sendPhoto: "photo",
  sendVideo: "video",
  sendAnimation: "animation",
  sendDocument: "document"
}

/** The parts of a message, in the words of the ledger. */
export interface Draft {
  readonly text: string
  /** The names of the form's files, in the order of the message. */
  readonly files: ReadonlyArray<string>
  readonly details: Readonly<Record<string, Schema.Json>>
}

export const badRequest = (description: string) =>
  new Refused({ status: 400, code: "400", message: `Bad Request: ${description}` })

const tooLarge = new Refused({ status: 413, code: "413", message: "Request Entity Too Large" })

type Parameters = Readonly<Record<string, Schema.Json>>

const common = ["chat_id", "message_thread_id", "disable_notification", "protect_content", "reply_parameters"]
const ofMedia = ["caption", "has_spoiler", "show_caption_above_media"]
/** The parameters that each method accepts here. Telegram ignores any others; here a test should notice them. */
const known: Readonly<Record<string, ReadonlyArray<string>>> = {
  sendMessage: ["text", "entities", "link_preview_options"],
  sendPhoto: ofMedia,
  sendVideo: [...ofMedia, "width", "height", "duration", "supports_streaming"],
  sendAnimation: ofMedia,
  sendDocument: ["caption"],
  sendMediaGroup: ["media"],
  sendPoll: ["question", "options", "allows_multiple_answers", "open_period", "description"]
}

/** The message that the parameters make, or Telegram's objection. */
export const readDraft = (
  method: string,
  parameters: Parameters,
  files: ReadonlyMap<string, Arrived>,
  largest: number
): Draft | Refused => {
  const names = known[method]
  if (names === undefined) {
    return new Refused({ status: 404, code: "404", message: "Not Found: method not found" })
  }
  const field = filed[method]
  const stray = Object.keys(parameters).find(
    (name) => name !== field && !names.includes(name) && !common.includes(name)
  )
  if (stray !== undefined) return badRequest(`the test network knows no ${stray} of ${method}`)
  const { chat_id: _, ...told } = parameters
  const details = { method, ...told }
  if (method === "sendMessage") return textMessage(parameters, details)
  if (method === "sendPoll") return pollMessage(parameters, details)
  if (method === "sendMediaGroup") return album(parameters, files, details, largest)
  const name = attached(parameters[field!], field!)
  if (name instanceof Refused) return name
  const file = files.get(name)
  if (file === undefined) return badRequest(`there is no ${field} in the request`)
  return fileProblem(field!, file, largest) ?? captioned(parameters, [name], details)
}

const attach = "attach://"

/** The form's file that a parameter means: the one behind `attach://`, or that of its own field if it says nothing. */
const attached = (told: Schema.Json | undefined, field = ""): string | Refused => {
  const text = textOf(told)
  if (text === "") return field
  return text.startsWith(attach)
    ? text.slice(attach.length)
    : badRequest("wrong file identifier/HTTP URL specified; the test network takes files of the request only")
}

const textOf = (value: Schema.Json | undefined) => (typeof value === "string" ? value : "")

const textMessage = (parameters: Parameters, details: Draft["details"]) => {
  const text = textOf(parameters["text"])
  if (text.trim() === "") return badRequest("message text is empty")
  return text.length > longestText ? badRequest("message is too long") : { text, files: [], details }
}

const captioned = (
  { caption }: Parameters,
  files: ReadonlyArray<string>,
  details: Draft["details"]
): Draft | Refused =>
  textOf(caption).length > longestCaption
    ? badRequest("message caption is too long")
    : { text: textOf(caption), files, details }

const fileProblem = (kind: string, { size }: Arrived, largest: number) => {
  if (size === 0) return badRequest("file must be non-empty")
  if (size > largest) return tooLarge
  return kind === "photo" && size > photoBytes
    ? badRequest(`file of size ${size} bytes is too big for a photo; the maximum size is ${photoBytes} bytes`)
    : undefined
}

const decodePoll = Schema.decodeUnknownOption(
  Schema.Struct({
    question: Schema.String.check(Schema.isBetweenLength(1, 300)),
    options: Schema.Array(Schema.Struct({ text: Schema.String.check(Schema.isBetweenLength(1, 100)) })).check(
      Schema.isBetweenLength(1, 12)
    ),
    open_period: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 2_628_000 }))),
    description: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(longestCaption)))
  })
)

const pollMessage = (parameters: Parameters, details: Draft["details"]): Draft | Refused => {
  const poll = decodePoll(parameters)
  return poll._tag === "None"
    ? badRequest("the poll can't be sent: question, options, open_period or description is out of its limits")
    : { text: poll.value.question, files: [], details }
}

const decodeAlbum = Schema.decodeUnknownOption(
  Schema.Array(
    Schema.Struct({
      type: Schema.Literals(["photo", "video", "document", "audio"]),
      media: Schema.String,
      caption: Schema.optionalKey(Schema.String),
      has_spoiler: Schema.optionalKey(Schema.Boolean),
      show_caption_above_media: Schema.optionalKey(Schema.Boolean),
      supports_streaming: Schema.optionalKey(Schema.Boolean),
      width: Schema.optionalKey(Schema.Int),
      height: Schema.optionalKey(Schema.Int),
      duration: Schema.optionalKey(Schema.Int)
    })
  )
)

const album = (
  parameters: Parameters,
  files: ReadonlyMap<string, Arrived>,
  details: Draft["details"],
  largest: number
): Draft | Refused => {
  const items = decodeAlbum(parameters["media"])
  if (items._tag === "None") return badRequest("can't parse media JSON object")
  const { value } = items
  if (value.length < 2 || value.length > 10)
    return badRequest("wrong number of messages to send as an album: 2 to 10")
  const kinds = new Set(value.map(({ type }) => type))
  if (kinds.size > 1 && (kinds.has("document") || kinds.has("audio")))
    return badRequest("Can't use the media of the specified type in the album")
  const names: Array<string> = []
  for (const [index, { media }] of value.entries()) {
    const name = attached(media)
    if (name instanceof Refused) return name
    const file = files.get(name)
    if (file === undefined) return badRequest("can't parse InputMedia: media not found")
    names.push(name)
    const problem = fileProblem(value[index]!.type, file, largest)
    if (problem !== undefined) return problem
    if ((value[index]!.caption ?? "").length > longestCaption)
      return badRequest("message caption is too long")
  }
  return { text: value.map(({ caption = "" }) => caption).join(""), files: names, details }
}
