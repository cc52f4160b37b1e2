import { discordBytes } from "@carillon/domain"
import { Option, Schema } from "effect"
import { refusedByStatus, type Refusal, type Refused } from "../PlatformHttp.ts"

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({
    code: Schema.Int,
    message: Schema.String,
    errors: Schema.optionalKey(Schema.Json)
  })
)

/** The first invalid field of a form body, with its error. */
const firstField = (errors: Schema.Json | undefined, path = ""): string | undefined => {
  if (typeof errors !== "object" || errors === null) return undefined
  for (const [name, value] of Object.entries(errors)) {
    if (name === "_errors" && Array.isArray(value)) {
      const message = (value[0] as { readonly message?: unknown } | undefined)?.message
      if (typeof message === "string") return path === "" ? message : `${path}: ${message}`
    }
    const found = firstField(value as Schema.Json, path === "" ? name : `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

const mebibytes = (bytes: number) => `${bytes / 1024 ** 2} MiB`

/** What a second crosspost of the same message is answered with. */
export const alreadyCrossposted = "40033"

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json. A code that is not named here goes by its status. */
export const refuseDiscord = ({ status, body }: Refusal): Refused =>
  Option.match(decodeError(body), {
    onNone: () => refusedByStatus("Discord", status),
    onSome: ({ code: number, message, errors }) => {
      const code = String(number)
      const as = (errorClass: Refused["class"], sentence: string): Refused => ({
        class: errorClass,
        code,
        message: `${sentence} Discord says "${firstField(errors) ?? message}".`
      })
      switch (number) {
        case 10015:
        case 50027:
          return as(
            "reconnect",
            "The webhook no longer exists. Create a new one in the channel's settings and connect it."
          )
        case 40001:
        case 50014:
          return as(
            "reconnect",
            "Discord rejected the bot's token. Connect the channel again with the bot's current token."
          )
        case 10003:
        case 10004:
        case 50001:
        case 50013:
          return as(
            "forbidden",
            "The bot is not allowed to post in the channel. Give it the permissions to view the channel, send messages and attach files."
          )
        case 160002:
          return as(
            "forbidden",
            "A bot can reply to a message only if it can read the channel's history. Give it Read Message History."
          )
        case 40058:
        case 50008:
        case 220001:
          return as("invalid", "A forum accepts posts only in threads. Give a thread_name or a thread_id.")
        case 40067:
          return as(
            "invalid",
            "The forum requires a tag on every thread. Give applied_tags, turn that off in the forum's settings, or give a thread_id."
          )
        case 10087:
          return as(
            "invalid",
            "The forum does not have one of the tags. Change applied_tags to tags that it has."
          )
        case 40066:
          return as(
            "invalid",
            "Only moderators can set the forum's tags. Let others set one in the forum's settings, or give the bot Manage Threads."
          )
        case 220003:
          return as("invalid", "A post can start a thread only in a forum. Leave thread_name out.")
        case 10008:
        case 50083:
        case 160005:
          return as("invalid", "The thread does not exist, or is archived or locked. Choose another one.")
        case 20016:
        case 20028:
        case 20029:
        case 30001:
          return as("rate_limited", "Discord is rate limiting messages in the channel.")
        case 40005:
        case 50045:
          return as(
            "media_rejected",
            `Discord accepts at most ${mebibytes(discordBytes.file)} per file and ${mebibytes(discordBytes.request)} per message.`
          )
        case 50046:
          return as("media_rejected", "Discord rejected a file in this post.")
        case 200000:
        case 240000:
          return as("invalid", "The server's own rules block this text. Change it.")
        case 40333:
          return as("transient", "Discord's protection blocked the request. Carillon will try again.")
        default:
          if (status === 401)
            return as("reconnect", "Discord rejected the credentials. Connect the channel again.")
          return refusedByStatus("Discord", status, { code, message: firstField(errors) ?? message })
      }
    }
  })
