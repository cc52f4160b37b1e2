import { Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { Journal } from "../Journal.ts"
import { Ledger, type Publication } from "../Ledger.ts"
import { sha256 } from "../Redaction.ts"

const DiscordEvent = Schema.Struct({ type: Schema.Literal("revoked"), token: Schema.String })

/** Somebody who posts: a webhook of a channel, or a bot in one. */
export interface Sender {
  readonly id: string
  /** Its name, and the account of the ledger. */
  readonly name: string
  readonly is_bot: boolean
}

/** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
export type ChannelType = 0 | 2 | 5 | 11 | 15

const nonceLasts = 5 * 60_000
const epoch = 1_420_070_400_000n

/** The senders of the stand-in for Discord, and their messages, which are publications of the ledger. */
export class Discord extends Context.Service<
  Discord,
  {
    isRevoked(token: string): boolean
    revoke(token: string): void
    /** An id of a message that is published now; ids are in order. */
    nextId(now: number): string
    /** The bot's message with this nonce of the past five minutes. */
    withNonce(bot: Sender, nonce: string, now: number): Publication | undefined
    /** Oldest first. */
    messages(channelId: string): ReadonlyArray<Publication>
  }
>()("@carillon/sandbox/discord/Discord") {
  static readonly layer = Layer.effect(
    Discord,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const revoked = new Set<string>()
      const happen = yield* (yield* Journal).stream(
        "discord",
        DiscordEvent,
        ({ token }) => void revoked.add(token)
      )
      let lastId = 0n
      return Discord.of({
        isRevoked: (token) => revoked.has(sha256(token)),
        revoke: (token) => happen({ type: "revoked", token: sha256(token) }),
        nextId: (now) => {
          const id = (BigInt(now) - epoch) << 22n
          lastId = id > lastId ? id : lastId + 1n
          return String(lastId)
        },
        withNonce: ({ name }, nonce, now) =>
          ledger
            .publications({ platform: "discord", account: name })
            .findLast(
              ({ idempotency_key, published_at }) =>
                idempotency_key === nonce && Date.parse(published_at) > now - nonceLasts
            ),
        messages: (channelId) =>
          ledger
            .publications({ platform: "discord" })
            .filter(({ details }) => details?.["channel_id"] === channelId)
      })
    })
  )
}

/** A number of eighteen digits that follows from a word. */
export const idOf = (word: string) =>
  String(
    100_000_000_000_000_000n +
      (createHash("sha256").update(word).digest().readBigUInt64BE(0) % 800_000_000_000_000_000n)
  )
