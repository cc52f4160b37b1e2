import { Schema } from "effect"
import { Refused } from "../Exchange.ts"

/** https://docs.discord.com/developers/reference#uploading-files and …/resources/message#create-message */
const largestFile = 10 * 1024 * 1024
const largestMessage = 25 * 1024 * 1024

const text = (max: number) => Schema.String.check(Schema.isMaxLength(max))
const flag = Schema.optionalKey(Schema.Boolean)

const Answer = Schema.Struct({ poll_media: Schema.Struct({ text: text(55) }) })

const shared = {
  content: Schema.optionalKey(text(2000)),
  allowed_mentions: Schema.optionalKey(
    Schema.Struct({
      parse: Schema.Array(Schema.Literals(["users", "roles", "everyone"])).check(Schema.isUnique())
    })
  ),
  /** SUPPRESS_EMBEDS and SUPPRESS_NOTIFICATIONS. */
  flags: Schema.optionalKey(Schema.Literals([0, 4, 4096, 4100])),
  attachments: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        id: Schema.String,
        filename: Schema.optionalKey(text(1024)),
        description: Schema.optionalKey(text(1024)),
        is_spoiler: flag
      })
    ).check(Schema.isMaxLength(10))
  ),
  poll: Schema.optionalKey(
    Schema.Struct({
      question: Schema.Struct({ text: text(300) }),
      answers: Schema.Array(Answer).check(Schema.isBetweenLength(1, 10)),
      duration: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 768 }))),
      allow_multiselect: flag
    })
  )
}

const strict = { onExcessProperty: "error" } as const

export const decodeWebhookDraft = Schema.decodeUnknownOption(
  Schema.Struct({
    ...shared,
    username: Schema.optionalKey(text(80)),
    avatar_url: Schema.optionalKey(text(2048)),
    thread_name: Schema.optionalKey(text(100))
  }),
  strict
)
export const decodeBotDraft = Schema.decodeUnknownOption(
  Schema.Struct({
    ...shared,
    nonce: Schema.optionalKey(text(25)),
    enforce_nonce: flag,
    message_reference: Schema.optionalKey(Schema.Struct({ message_id: Schema.String }))
  }),
  strict
)

export const refused = (status: number, code: number, message: string, errors?: Schema.Json) =>
  new Refused({
    status,
    code: String(code),
    message,
    body: { message, code, ...(errors === undefined ? {} : { errors }) }
  })

/** The field is the first of the body that has a limit, so that its name is told as Discord tells it. */
export const invalidForm = (body: unknown) => {
  const content = (body as { readonly content?: unknown } | null)?.content
  return refused(
    400,
    50035,
    "Invalid Form Body",
    typeof content === "string" && content.length > 2000
      ? {
          content: {
            _errors: [{ code: "BASE_TYPE_MAX_LENGTH", message: "Must be 2000 or fewer in length." }]
          }
        }
      : {
          _errors: [
            { code: "DICT_TYPE_CONVERT", message: "The test network does not take a field or a value." }
          ]
        }
  )
}

/** Discord's errors about the files of a message. */
export const fileProblem = (sizes: ReadonlyArray<number>): Refused | undefined =>
  sizes.some((size) => size > largestFile) || sizes.reduce((sum, size) => sum + size, 0) > largestMessage
    ? refused(413, 40005, "Request entity too large")
    : sizes.length > 10
      ? refused(400, 30015, "Maximum number of attachments in a message reached (10)")
      : undefined
