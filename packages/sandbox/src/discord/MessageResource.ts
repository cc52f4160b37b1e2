import type { Schema } from "effect"
import { isoTime, type Publication } from "../Ledger.ts"
import type { Sender } from "./Discord.ts"
import type { BotDraft, WebhookDraft } from "./DiscordDraft.ts"
import { guild } from "./DiscordGuild.ts"
import { type Embeds, shownAttachments } from "./EmbedDraft.ts"

/** https://docs.discord.com/developers/resources/message#message-object, of the test network at this address. */
export const messageResource = (publication: Publication, url: string): Schema.Json => {
  const { account, details = {}, idempotency_key, media, published_at, text } = publication
  const poll = details["poll"] as WebhookDraft["poll"]
  const answered = details["message_reference"] as BotDraft["message_reference"]
  const attachments = (details["attachments"] ?? []) as ReadonlyArray<{ readonly filename: string }>
  const embeds = (details["embeds"] ?? []) as NonNullable<Embeds>
  const shown = shownAttachments(embeds)
  const files = media.map((file, index) => ({ ...file, filename: attachments[index]?.filename || file.id }))
  const addressOf = (name: string) => `${url}/media/${files.find(({ filename }) => filename === name)?.id}`
  return {
    // https://docs.discord.com/developers/resources/message#message-object-message-types: REPLY
    type: answered === undefined ? 0 : 19,
    content: text,
    ...(answered === undefined
      ? {}
      : {
          message_reference: {
            type: 0,
            channel_id: String(details["channel_id"]),
            guild_id: guild,
            message_id: answered.message_id
          }
        }),
    mentions: [],
    mention_roles: [],
    // What an embed shows is no attachment any more.
    attachments: files
      .filter(({ filename }) => !shown.includes(filename))
      .map(({ alt_text, content_type, filename, id, size }) => ({
        id,
        filename,
        size,
        content_type,
        url: `${url}/media/${id}`,
        proxy_url: `${url}/media/${id}`,
        ...(alt_text === null ? {} : { description: alt_text })
      })),
    embeds: embeds.map((embed) => embedResource(embed, addressOf)),
    timestamp: published_at,
    edited_timestamp: null,
    flags: Number(details["flags"] ?? 0),
    components: [],
    id: String(details["message_id"]),
    channel_id: String(details["channel_id"]),
    author: user({
      id: String(details["author_id"]),
      name: String(details["username"] ?? account),
      is_bot: true
    }),
    pinned: false,
    mention_everyone: false,
    tts: false,
    ...(idempotency_key === null ? {} : { nonce: idempotency_key }),
    ...(poll === undefined
      ? {}
      : {
          poll: {
            question: poll.question,
            answers: poll.answers.map(({ poll_media: { text, emoji } }, index) => ({
              answer_id: index + 1,
              poll_media: {
                text,
                ...(emoji == null ? {} : { emoji: { id: null, name: null, ...emoji } })
              }
            })),
            expiry: isoTime(Date.parse(published_at) + (poll.duration ?? 24) * 3_600_000),
            allow_multiselect: poll.allow_multiselect ?? false,
            layout_type: 1,
            results: { answer_counts: [], is_finalized: false }
          }
        })
  }
}

/** An embed as Discord gives it back: without what is null, and with the addresses of attachments. */
const embedResource = (
  embed: NonNullable<Embeds>[number],
  addressOf: (name: string) => string
): Schema.Json =>
  JSON.parse(JSON.stringify({ ...embed, type: "rich" }), (_, value: unknown) =>
    value === null
      ? undefined
      : typeof value === "string" && value.startsWith("attachment://")
        ? addressOf(value.slice("attachment://".length))
        : value
  )

export const user = ({ id, name, is_bot }: Sender) => ({
  id,
  username: name,
  avatar: null,
  discriminator: "0000",
  public_flags: 0,
  flags: 0,
  bot: is_bot,
  global_name: null,
  primary_guild: null
})
