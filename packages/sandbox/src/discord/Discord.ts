import { Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { Journal } from "../Journal.ts"
import { Ledger, type Publication } from "../Ledger.ts"
import { sha256 } from "../Redaction.ts"

const DiscordEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("revoked"), token: Schema.String }),
  /** A person has added an app's bot to a server. */
  Schema.Struct({ type: Schema.Literal("installed"), app: Schema.String, person: Schema.String })
])

/** Somebody who posts: a webhook of a channel, or a bot in one. */
export interface Sender {
  readonly id: string
  /** Its name, and the account of the ledger. */
  readonly name: string
  readonly is_bot: boolean
  /** The server that a person has added it to. Left out: the one that is always there. */
  readonly guild?: string
}

/** Where an app's bot was added to. */
export interface Installed {
  readonly guild: string
  readonly person: string
  readonly channels: ReadonlyArray<{ readonly id: string; readonly name: string }>
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
    /** A person adds an app's bot to a server of their own. */
    install(app: string, person: string): Installed
    /** The server of the app that has this id, or the channel of this id. */
    installed(app: string, id: string): Installed | undefined
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
      const places = new Map<string, Installed>()
      const happen = yield* (yield* Journal).stream("discord", DiscordEvent, (event) => {
        if (event.type === "revoked") return void revoked.add(event.token)
        const place = serverOf(event.person)
        for (const id of [place.guild, ...place.channels.map((channel) => channel.id)])
          places.set(`${event.app}/${id}`, place)
      })
      let lastId = 0n
      return Discord.of({
        isRevoked: (token) => revoked.has(sha256(token)),
        revoke: (token) => happen({ type: "revoked", token: sha256(token) }),
        install: (app, person) => {
          const place = serverOf(person)
          if (!places.has(`${app}/${place.guild}`)) happen({ type: "installed", app, person })
          return place
        },
        installed: (app, id) => places.get(`${app}/${id}`),
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

/** The server of a person, with a channel of their name, and more of `…-many`. In one that is closed nobody may write. */
const serverOf = (person: string): Installed => ({
  guild: idOf(`server of ${person}`),
  person,
  channels: [
    person,
    ...(person.endsWith("-many") ? [`${person}-news`, `${person}-forum`, `${person}-voice`] : []),
    `${person}-mute`
  ].map((name) => ({ id: idOf(`channel ${name} of ${person}`), name }))
})

/** A number of eighteen digits that follows from a word. */
export const idOf = (word: string) =>
  String(
    100_000_000_000_000_000n +
      (createHash("sha256").update(word).digest().readBigUInt64BE(0) % 800_000_000_000_000_000n)
  )
