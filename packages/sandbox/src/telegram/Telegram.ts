import { Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { Journal } from "../Journal.ts"
import { Ledger } from "../Ledger.ts"

const TelegramEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("opened"), name: Schema.String, id: Schema.Int }),
  Schema.Struct({ type: Schema.Literal("revoked"), bot: Schema.String })
])
type TelegramEvent = typeof TelegramEvent.Type

/** A channel or group, as its name says it is. */
export interface Chat {
  readonly id: number
  readonly type: "channel" | "group" | "supergroup" | "private"
  /** The account of the ledger. */
  readonly name: string
  readonly is_public: boolean
  /** The id that it has since it became a supergroup. */
  readonly moved_to: number | null
  /** The bot's role in it. */
  readonly bot: "administrator" | "member" | "restricted" | "left"
  /** Whether an administrator may pin messages. */
  readonly pins: boolean
}

/**
 * The chats of the stand-in for Telegram. A chat opens when it is first asked for, and its name says what it is: `…_group` and
 * `…_muted` a supergroup (in the second the bot may not write), `…_moved` a small group that has become a supergroup,
 * `…_member` a channel in which the bot is no administrator, `…_away` nothing, `…_person` a person. Anything else is a channel.
 * In `…_unpinned` the bot may not pin.
 */
export class Telegram extends Context.Service<
  Telegram,
  {
    /** By `@name` or by number; a number that no name has is a private channel. */
    chat(named: string): Chat | undefined
    isRevoked(bot: string): boolean
    revoke(bot: string): void
    /** The number of the next message in a chat; an album takes several. */
    nextMessage(name: string): number
  }
>()("@carillon/sandbox/telegram/Telegram") {
  static readonly layer = Layer.effect(
    Telegram,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const names = new Map<number, string>()
      const revoked = new Set<string>()

      const apply = (event: TelegramEvent) =>
        void (event.type === "opened" ? names.set(event.id, event.name) : revoked.add(event.bot))
      const happen = yield* (yield* Journal).stream("telegram", TelegramEvent, apply)

      return Telegram.of({
        chat: (named) => {
          if (!named.startsWith("@")) {
            const id = Number(named)
            if (!Number.isSafeInteger(id) || id >= 0) return undefined
            const name = names.get(id)
            if (name !== undefined) return chatOf(name, id)
            return /^-100\d{5,}$/.test(named) ? chatOf(`private${named.slice(4)}`, id) : undefined
          }
          const name = named.slice(1)
          if (!/^[A-Za-z]\w{3,63}$/.test(name) || name.endsWith("_away")) return undefined
          const number = numberOf(name)
          const known = chatOf(name, name.endsWith("_moved") ? -number : Number(`-100${number}`))
          for (const id of [known.id, known.moved_to]) {
            if (id !== null && !names.has(id)) happen({ type: "opened", name, id })
          }
          return known
        },
        isRevoked: (bot) => revoked.has(bot),
        revoke: (bot) => happen({ type: "revoked", bot }),
        nextMessage: (name) =>
          ledger
            .publications({ platform: "telegram", account: name })
            .reduce((sum, { media }) => sum + Math.max(1, media.length), 1)
      })
    })
  )
}

/** Ten digits. */
const numberOf = (name: string) =>
  1_000_000_000 + (createHash("sha256").update(name).digest().readUInt32BE(0) % 900_000_000)

const chatOf = (name: string, id: number): Chat => {
  const ends = (ending: string) => name.endsWith(ending)
  const isSmall = !String(id).startsWith("-100")
  return {
    id,
    name,
    type: ends("_person")
      ? "private"
      : isSmall
        ? "group"
        : ends("_group") || ends("_muted") || ends("_moved")
          ? "supergroup"
          : "channel",
    is_public: !name.startsWith("private"),
    moved_to: isSmall ? Number(`-100${numberOf(name)}`) : null,
    bot: ["_member", "_moved", "_person"].some(ends)
      ? "member"
      : ends("_muted")
        ? "restricted"
        : "administrator",
    pins: !ends("_unpinned")
  }
}
