import { Effect, Schema, SchemaIssue } from "effect"
import { Refused } from "../Exchange.ts"
import { Embeds } from "./EmbedDraft.ts"

/** https://docs.discord.com/developers/reference#uploading-files and …/resources/message#create-message */
const largestFile = 10 * 1024 * 1024
const largestMessage = 25 * 1024 * 1024
const longestContent = 2000

const text = (max: number) => Schema.String.check(Schema.isMaxLength(max))
const flag = Schema.optionalKey(Schema.Boolean)

/** What clients send as `false` where nobody asked for it. */
const never = Schema.optionalKey(Schema.Literal(false))

const Emoji = Schema.Struct({
  id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  name: Schema.optionalKey(Schema.NullOr(text(32))),
  animated: flag
})
const Answer = Schema.Struct({
  poll_media: Schema.Struct({ text: text(55), emoji: Schema.optionalKey(Schema.NullOr(Emoji)) })
})

const ids = Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isUnique(), Schema.isMaxLength(100)))
/** https://docs.discord.com/developers/resources/message#allowed-mentions-object */
const AllowedMentions = Schema.Struct({
  parse: Schema.optionalKey(
    Schema.Array(Schema.Literals(["users", "roles", "everyone"])).check(Schema.isUnique())
  ),
  users: ids,
  roles: ids,
  replied_user: flag
}).check(
  Schema.makeFilter(({ parse = [], users = [], roles = [] }) =>
    (parse.includes("users") && users.length > 0) || (parse.includes("roles") && roles.length > 0)
      ? "parse names users or roles that are also listed one by one"
      : undefined
  )
)

const shared = {
  embeds: Embeds,
  content: Schema.optionalKey(text(longestContent)),
  tts: never,
  allowed_mentions: Schema.optionalKey(AllowedMentions),
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
      allow_multiselect: flag,
      layout_type: Schema.optionalKey(Schema.Literal(1))
    })
  )
}

const Tags = Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String).check(Schema.isMaxLength(5))))

export const refused = (status: number, code: number, message: string, errors?: Schema.Json) =>
  new Refused({
    status,
    code: String(code),
    message,
    body: { message, code, ...(errors === undefined ? {} : { errors }) }
  })

/** Of the field at the end of the path, as Discord nests it; without a path of the whole form. */
export const invalidForm = (
  path: ReadonlyArray<string> = [],
  code = "DICT_TYPE_CONVERT",
  message = "The test network does not take a field or a value."
) =>
  refused(
    400,
    50035,
    "Invalid Form Body",
    path.reduceRight<Schema.Json>((errors, name) => ({ [name]: errors }), { _errors: [{ code, message }] })
  )

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Tells of the first field that is in the way. */
const refusedField = (body: unknown, issue: SchemaIssue.Issue) => {
  const content = (body as { readonly content?: unknown } | null)?.content
  if (typeof content === "string" && content.length > longestContent) {
    return invalidForm(["content"], "BASE_TYPE_MAX_LENGTH", `Must be ${longestContent} or fewer in length.`)
  }
  const { path = [], message } = format(issue).issues[0]!
  return invalidForm(path.map(String), undefined, `The test network does not play this: ${message}.`)
}

const draftOf = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" })
  return (body: unknown) => Effect.mapError(decode(body), ({ issue }) => refusedField(body, issue))
}

export const readWebhookDraft = draftOf(
  Schema.Struct({
    ...shared,
    enforce_nonce: never,
    username: Schema.optionalKey(text(80)),
    avatar_url: Schema.optionalKey(text(2048)),
    thread_name: Schema.optionalKey(text(100)),
    applied_tags: Tags
  })
)
/** https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel */
export const readThreadDraft = draftOf(
  Schema.Struct({
    name: text(100).check(Schema.isNonEmpty()),
    auto_archive_duration: Schema.optionalKey(Schema.NullOr(Schema.Literals([60, 1440, 4320, 10080]))),
    applied_tags: Tags,
    message: Schema.Struct(shared)
  })
)
export const readBotDraft = draftOf(
  Schema.Struct({
    ...shared,
    nonce: Schema.optionalKey(text(25)),
    enforce_nonce: flag,
    message_reference: Schema.optionalKey(Schema.Struct({ message_id: Schema.String }))
  })
)

/** Discord's errors about the tags of a new thread. */
export const tagProblem = (
  applied: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  isRequired: boolean
) =>
  applied.some((tag) => !known.includes(tag))
    ? refused(400, 10087, "Unknown tag")
    : isRequired && applied.length === 0
      ? refused(400, 40067, "A tag is required to create a forum post in this channel")
      : undefined

/** Discord's errors about the files of a message. */
export const fileProblem = (sizes: ReadonlyArray<number>): Refused | undefined =>
  sizes.some((size) => size > largestFile) || sizes.reduce((sum, size) => sum + size, 0) > largestMessage
    ? refused(413, 40005, "Request entity too large")
    : sizes.length > 10
      ? refused(400, 30015, "Maximum number of attachments in a message reached (10)")
      : undefined

export type BotDraft = Effect.Success<ReturnType<typeof readBotDraft>>
export type ThreadDraft = Effect.Success<ReturnType<typeof readThreadDraft>>
export type WebhookDraft = Effect.Success<ReturnType<typeof readWebhookDraft>>
