import { type FormattedText, telegramText } from "@carillon/domain"
import type { Schema } from "effect"
import { bytesOf, type FormFile, type PushedFile, sentName } from "../MultipartForm.ts"
import type { PublishMedia, PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"

export const optionsOf = publishOptions("telegram")

/** A call that makes a message. Its formats go as `entities`, without `parse_mode`: nothing in a text has to be escaped. */
export interface MessageCall {
  readonly method: string
  readonly parameters: { readonly [name: string]: Schema.Json }
  readonly files: ReadonlyArray<FormFile>
}

/** https://core.telegram.org/bots/api: which method takes this post, and how. */
export const messageCall = (
  request: PublishRequest,
  facts: (media: PublishMedia) => PushedFile,
  /** The message that it answers. */
  parent?: number
): MessageCall => {
  const { media } = request
  const options = optionsOf(request)
  const caption = telegramText(request)
  const shared = {
    ...(parent === undefined ? {} : { reply_parameters: { message_id: parent } }),
    ...(options.silent === true ? { disable_notification: true } : {}),
    ...(options.protect_content === true ? { protect_content: true } : {}),
    ...(options.message_thread_id === undefined ? {} : { message_thread_id: options.message_thread_id })
  }
  // An album has none.
  const keyboard =
    options.buttons === undefined || options.buttons.length === 0
      ? {}
      : { reply_markup: { inline_keyboard: options.buttons } }
  if (options.poll !== undefined) {
    const { correct_option, explanation, question, options: choices, duration_hours, multiple } = options.poll
    return {
      method: "sendPoll",
      parameters: {
        ...shared,
        ...keyboard,
        question: question ?? caption.text,
        options: choices.map((text) => ({ text })),
        ...(multiple === true ? { allows_multiple_answers: true } : {}),
        ...(duration_hours === undefined ? {} : { open_period: duration_hours * 3600 }),
        ...(question === undefined ? {} : formatted("description", caption)),
        ...(correct_option === undefined
          ? {}
          : {
              type: "quiz",
              correct_option_ids: [correct_option],
              ...(explanation === undefined || explanation.trim() === "" ? {} : { explanation })
            })
      },
      files: []
    }
  }
  if (media.length === 0) {
    return {
      method: "sendMessage",
      parameters: {
        ...shared,
        ...keyboard,
        ...formatted("text", caption),
        ...(options.link_preview === "off" ? { link_preview_options: { is_disabled: true } } : {})
      },
      files: []
    }
  }
  const titled = formatted("caption", caption)
  const items = media.map((item, index) => {
    const sent = facts(item)
    const kind = kindOf(item, sent)
    const name = `file${index}`
    return {
      kind,
      file: { ...sent, name, filename: sentName(item, sent, index), content: bytesOf(item, sent) },
      told: {
        ...(kind === "document"
          ? {}
          : {
              ...(options.has_spoiler === true ? { has_spoiler: true } : {}),
              ...(options.caption_above_media === true ? { show_caption_above_media: true } : {})
            }),
        ...(kind === "video" ? { supports_streaming: true, ...shapeOf(item) } : {})
      }
    }
  })
  const [only, ...others] = items
  return others.length === 0
    ? {
        method: methods[only!.kind],
        parameters: { ...shared, ...keyboard, ...titled, ...only!.told },
        files: [{ ...only!.file, name: only!.kind }]
      }
    : {
        method: "sendMediaGroup",
        parameters: {
          ...shared,
          // The caption of the first is that of the album.
          media: items.map(({ kind, file, told }, index) => ({
            type: kind,
            media: `attach://${file.name}`,
            ...(index === 0 ? titled : {}),
            ...told
          }))
        },
        files: items.map(({ file }) => file)
      }
}

/** A text with its formats, as the parameters of that name. */
const formatted = (name: "text" | "caption" | "description", { entities, text }: FormattedText) => ({
  ...(text.trim() === "" ? {} : { [name]: text }),
  ...(entities.length === 0
    ? {}
    : { [name === "text" ? "entities" : `${name}_entities`]: entities.map((entity) => ({ ...entity })) })
})

const methods = {
  photo: "sendPhoto",
  animation: "sendAnimation",
  video: "sendVideo",
  document: "sendDocument"
} as const

const kindOf = ({ kind }: PublishMedia, { mime_type }: PushedFile): keyof typeof methods =>
  kind === "image" ? (mime_type === "image/gif" ? "animation" : "photo") : kind

const shapeOf = ({ width, height, duration_ms }: PublishMedia) => ({
  ...(width === null || height === null ? {} : { width, height }),
  ...(duration_ms === null ? {} : { duration: Math.round(duration_ms / 1000) })
})
