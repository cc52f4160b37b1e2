import { type DiscordEmbed, embeddedMedia, embedsOf, type PlatformData } from "@carillon/domain"
import type { Schema } from "effect"
import { type PushedFile, sentName } from "../MultipartForm.ts"
import type { PublishMedia, PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"

export const optionsOf = publishOptions("discord")

/** https://docs.discord.com/developers/resources/message#message-object-message-flags */
const suppressEmbeds = 1 << 2
const suppressNotifications = 1 << 12

/** Discord changes other names, and an embed finds its picture by the name. */
const embeddedName = (item: PublishMedia, facts: PushedFile, index: number) =>
  sentName({ ...item, name: `picture-${index + 1}` }, facts, index)

/** The names of a post's files, in their order. */
export const filenamesOf = (
  request: PublishRequest,
  facts: (media: PublishMedia) => PushedFile
): ReadonlyArray<string> => {
  const embedded = embedsOf(request.options).map(embeddedMedia)
  return request.media.map((item, index) =>
    (embedded.includes(item.id) ? embeddedName : sentName)(item, facts(item), index)
  )
}

const embedBody = (embed: DiscordEmbed, pictureOf: (id: string) => string) => {
  const { author, color, footer, image, ...rest } = embed
  const id = embeddedMedia(embed)
  return {
    ...rest,
    ...(color === undefined ? {} : { color: Number.parseInt(color.slice(1), 16) }),
    ...(image === undefined
      ? {}
      : { image: { url: id === undefined ? image : `attachment://${pictureOf(id)}` } }),
    ...(author === undefined ? {} : { author: { name: author } }),
    ...(footer === undefined ? {} : { footer: { text: footer } })
  }
}

/** The body of a message, for both kinds of access. Mentions notify nobody unless the post says whom. */
export const messageBody = (
  request: PublishRequest,
  facts: (media: PublishMedia) => PushedFile
): { readonly [name: string]: Schema.Json } => {
  const options = optionsOf(request)
  const { embeds = [], poll, mentions = [] } = options
  const filenames = filenamesOf(request, facts)
  const flags =
    (options.suppress_embeds === true ? suppressEmbeds : 0) +
    (options.silent === true ? suppressNotifications : 0)
  // A caption that is the poll's question is not said twice.
  const content = poll !== undefined && poll.question === undefined ? "" : request.caption
  return {
    ...(content.trim() === "" ? {} : { content }),
    allowed_mentions: { parse: [...new Set(mentions)] },
    ...(flags === 0 ? {} : { flags }),
    ...(request.media.length === 0
      ? {}
      : {
          attachments: request.media.map((item, index) => {
            const { alt_text } = item
            return {
              id: String(index),
              filename: filenames[index]!,
              ...(alt_text === null || alt_text === "" ? {} : { description: alt_text }),
              ...(options.spoiler === true ? { is_spoiler: true } : {})
            }
          })
        }),
    ...(embeds.length === 0
      ? {}
      : {
          embeds: embeds.map((embed) =>
            embedBody(embed, (id) => filenames[request.media.findIndex((item) => item.id === id)]!)
          )
        }),
    ...(poll === undefined
      ? {}
      : {
          poll: {
            question: { text: poll.question ?? request.caption },
            answers: poll.options.map((answer) => ({ poll_media: { text: answer } })),
            ...(poll.duration_hours === undefined ? {} : { duration: poll.duration_hours }),
            ...(poll.multiple === true ? { allow_multiselect: true } : {})
          }
        })
  }
}

/** At most 25 characters that no other target and no other item has. */
export const nonceOf = (targetId: string): string => {
  const [, id = targetId, item = ""] = /^([\da-f-]{36})(-\d+)$/i.exec(targetId) ?? []
  return (
    Buffer.from(id.replaceAll("-", ""), /^[\da-f-]{36}$/i.test(id) ? "hex" : "utf8")
      .toString("base64url")
      .slice(-22) + item
  )
}

/** A message by its link, such as https://discord.com/channels/81/41/33, which a person may have confirmed. */
export const messageAt = (data: PlatformData | null | undefined) => {
  const [, channel_id, id] = /\/channels\/[^/]+\/(\d+)\/(\d+)\/?$/.exec(data?.url ?? data?.id ?? "") ?? []
  return channel_id === undefined || id === undefined ? undefined : { channel_id, id }
}
