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
const ofOne = [...common, "reply_markup"]
const captioning = ["caption", "caption_entities"]
const ofMedia = [...ofOne, ...captioning, "has_spoiler", "show_caption_above_media"]
/** The parameters that each method accepts here. Telegram ignores any others; here a test should notice them. */
const known: Readonly<Record<string, ReadonlyArray<string>>> = {
  sendMessage: [...ofOne, "text", "entities", "link_preview_options"],
  sendPhoto: ofMedia,
  sendVideo: [...ofMedia, "width", "height", "duration", "supports_streaming"],
  sendAnimation: ofMedia,
  sendDocument: [...ofOne, ...captioning],
  sendMediaGroup: [...common, "media"],
  sendPoll: [
    ...ofOne,
    "question",
    "options",
    "type",
    "allows_multiple_answers",
    "correct_option_ids",
    "open_period",
    "explanation",
    "explanation_entities",
    "description",
    "description_entities"
  ],
  pinChatMessage: ["chat_id", "message_id", "disable_notification"]
}

/** What a method does not know. */
export const strayIn = (method: string, parameters: Parameters): Refused | undefined => {
  const stray = Object.keys(parameters).find(
    (name) => name !== filed[method] && known[method]?.includes(name) !== true
  )
  return stray === undefined ? undefined : badRequest(`the test network knows no ${stray} of ${method}`)
}

/** The message that the parameters make, or Telegram's objection. */
export const readDraft = (
  method: string,
  parameters: Parameters,
  files: ReadonlyMap<string, Arrived>,
  largest: number
): Draft | Refused => {
  if (known[method] === undefined) {
    return new Refused({ status: 404, code: "404", message: "Not Found: method not found" })
  }
  const field = filed[method]
  const problem = strayIn(method, parameters) ?? keyboardProblem(parameters["reply_markup"])
  if (problem !== undefined) return problem
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
  if (text.length > longestText) return badRequest("message is too long")
  return entityProblem(text, parameters["entities"]) ?? { text, files: [], details }
}

const captionProblem = (caption: string, entities: Schema.Json | undefined) =>
  caption.length > longestCaption
    ? badRequest("message caption is too long")
    : entityProblem(caption, entities)

const captioned = (
  { caption, caption_entities }: Parameters,
  files: ReadonlyArray<string>,
  details: Draft["details"]
): Draft | Refused =>
  captionProblem(textOf(caption), caption_entities) ?? { text: textOf(caption), files, details }

const place = { offset: Schema.Int, length: Schema.Int }
/** https://core.telegram.org/bots/api#messageentity: those that need no account of Telegram's. */
const decodeEntities = Schema.decodeUnknownOption(
  Schema.Array(
    Schema.Union([
      Schema.Struct({
        type: Schema.Literals([
          ...(["bold", "italic", "underline", "strikethrough", "spoiler", "code"] as const),
          ...(["blockquote", "expandable_blockquote"] as const)
        ]),
        ...place
      }),
      Schema.Struct({ type: Schema.Literal("pre"), language: Schema.optionalKey(Schema.String), ...place }),
      Schema.Struct({ type: Schema.Literal("text_link"), url: Schema.String, ...place })
    ])
  ),
  { onExcessProperty: "error" }
)

/** What Telegram says of entities that do not fit their text (github.com/tdlib/td, `MessageEntity.cpp`). */
const entityProblem = (text: string, given: Schema.Json | undefined): Refused | undefined => {
  if (given === undefined) return undefined
  const entities = decodeEntities(given)
  if (entities._tag === "None") return badRequest("can't parse MessageEntity: Unsupported type specified")
  const inPair = (at: number) => /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
  for (const entity of entities.value) {
    const { length, offset } = entity
    const end = offset + length
    if (offset < 0 || length <= 0) return badRequest("receive an entity with incorrect offset or length")
    if (end > text.length)
      return badRequest(
        `entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${end}`
      )
    if (inPair(offset) || inPair(end))
      return badRequest(`entity beginning at UTF-16 offset ${offset} begins or ends in a UTF-16 symbol`)
    if ("url" in entity && !isAddress(entity.url)) return badRequest("wrong HTTP URL specified")
  }
  return undefined
}

const isAddress = (url: string) => /^(https?|tg):\/\/[^\s/]/.test(url) && URL.canParse(url)

const decodeKeyboard = Schema.decodeUnknownOption(
  Schema.Struct({
    inline_keyboard: Schema.Array(Schema.Array(Schema.Struct({ text: Schema.String, url: Schema.String })))
  }),
  { onExcessProperty: "error" }
)

/** How many buttons Telegram takes is written nowhere. */
const mostButtons = 100

const keyboardProblem = (given: Schema.Json | undefined): Refused | undefined => {
  if (given === undefined) return undefined
  const keyboard = decodeKeyboard(given)
  if (keyboard._tag === "None")
    return badRequest("can't parse inline keyboard button; the test network knows text and url")
  const buttons = keyboard.value.inline_keyboard.flat()
  if (buttons.length > mostButtons) return badRequest("reply markup is too long")
  if (buttons.some(({ text }) => text.trim() === ""))
    return badRequest("inline keyboard button text is empty")
  const wrong = buttons.find(({ url }) => !isAddress(url))
  return wrong === undefined ? undefined : badRequest(`inline keyboard button URL '${wrong.url}' is invalid`)
}

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
    type: Schema.optionalKey(Schema.Literals(["regular", "quiz"])),
    correct_option_ids: Schema.optionalKey(Schema.Array(Schema.Int)),
    explanation: Schema.optionalKey(Schema.String),
    open_period: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 2_628_000 }))),
    description: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(longestCaption)))
  })
)

const pollMessage = (parameters: Parameters, details: Draft["details"]): Draft | Refused => {
  const poll = decodePoll(parameters)
  if (poll._tag === "None")
    return badRequest(
      "the poll can't be sent: question, options, open_period or description is out of its limits"
    )
  const {
    correct_option_ids: correct = [],
    description = "",
    explanation = "",
    options,
    question,
    type
  } = poll.value
  const isRising = correct.every((id, index) => id > (correct[index - 1] ?? -1) && id < options.length)
  if (type === "quiz" && (correct.length === 0 || !isRising))
    return badRequest("wrong correct option ID specified")
  if (explanation.length > 200 || explanation.split("\n").length > 3)
    return badRequest("the explanation of a quiz has at most 200 characters and 2 line feeds")
  return (
    entityProblem(description, parameters["description_entities"]) ??
    entityProblem(explanation, parameters["explanation_entities"]) ?? { text: question, files: [], details }
  )
}

const decodeAlbum = Schema.decodeUnknownOption(
  Schema.Array(
    Schema.Struct({
      type: Schema.Literals(["photo", "video", "document", "audio"]),
      media: Schema.String,
      caption: Schema.optionalKey(Schema.String),
      caption_entities: Schema.optionalKey(Schema.Json),
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
    const { caption = "", caption_entities, type } = value[index]!
    const problem = fileProblem(type, file, largest) ?? captionProblem(caption, caption_entities)
    if (problem !== undefined) return problem
  }
  return { text: value.map(({ caption = "" }) => caption).join(""), files: names, details }
}
