import { Schema } from "effect"

const Flags = Schema.String.check(Schema.isPattern(/^\d{1,40}$/))
export const Overwrite = Schema.Struct({ id: Schema.String, allow: Flags, deny: Flags })
export const Role = Schema.Struct({ id: Schema.String, permissions: Flags })

interface Place {
  readonly guild_id: string
  /** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
  readonly type: number
  /** Those of the channel; of a thread those of the channel that it is in. */
  readonly overwrites: ReadonlyArray<typeof Overwrite.Type>
}

interface Member {
  readonly id: string
  readonly roles: ReadonlyArray<string>
}

const administrator = 1n << 3n
/** As Discord's settings call them. */
const permissions = {
  "View Channel": 1n << 10n,
  "Send Messages": 1n << 11n,
  "Embed Links": 1n << 14n,
  "Attach Files": 1n << 15n,
  "Read Message History": 1n << 16n,
  Connect: 1n << 20n,
  "Send Messages in Threads": 1n << 38n
}
type Permission = keyof typeof permissions
/** What a bot is given when somebody adds it to a server. */
const asked: ReadonlyArray<Permission> = [
  "View Channel",
  "Send Messages",
  "Embed Links",
  "Attach Files",
  "Read Message History",
  "Send Messages in Threads"
]
export const askedPermissions = String(asked.reduce((sum, name) => sum | permissions[name], 0n))

/** https://docs.discord.com/developers/topics/threads#permissions: in a thread its own permission counts instead of Send Messages. */
export const isThread = (type: number) => type >= 10 && type <= 12

/** In voice and stage channels, every other permission requires Connect. */
const needed = (type: number): ReadonlyArray<Permission> => [
  "View Channel",
  ...([2, 13].includes(type) ? (["Connect"] as const) : []),
  isThread(type) ? "Send Messages in Threads" : "Send Messages",
  "Attach Files",
  "Embed Links"
]

const either = (flags: ReadonlyArray<string>) => flags.reduce((sum, one) => sum | BigInt(one), 0n)

/** A member's permissions, from its roles and the channel: https://docs.discord.com/developers/topics/permissions#permission-overwrites. */
const held = (
  { guild_id, overwrites }: Place,
  member: Member,
  roles: ReadonlyArray<typeof Role.Type>
): { readonly base: bigint; readonly here: bigint } => {
  // The role of everyone has the id of the server.
  const mine = [guild_id, ...member.roles]
  const base = either(roles.filter(({ id }) => mine.includes(id)).map(({ permissions }) => permissions))
  if ((base & administrator) !== 0n) return { base: -1n, here: -1n }
  const here = [[guild_id], member.roles, [member.id]].reduce((sum, ids) => {
    const level = overwrites.filter(({ id }) => ids.includes(id))
    return (sum & ~either(level.map(({ deny }) => deny))) | either(level.map(({ allow }) => allow))
  }, base)
  return { base, here }
}

/** The permissions that a bot lacks to post in a channel, and where to grant them; undefined: none. */
export const lackingPermissions = (
  place: Place,
  bot: Member,
  roles: ReadonlyArray<typeof Role.Type>
): string | undefined => {
  const { base, here } = held(place, bot, roles)
  const missing = needed(place.type).filter((name) => (here & permissions[name]) === 0n)
  if (missing.length === 0) return undefined
  const them = missing.length === 1 ? "it" : "them"
  const settings = `in the settings of the ${isThread(place.type) ? "thread's channel" : "channel"} under Permissions`
  return (
    `The bot is not allowed to post in the channel: it lacks ${words.format(missing.map((name) => `"${name}"`))}. ` +
    (missing.every((name) => (base & permissions[name]) !== 0n)
      ? `Its roles grant ${them}, but the channel denies ${them}: allow ${them} for the bot ${settings}.`
      : `Allow ${them} for the bot's role in the settings of the server under Roles, or for the bot ${settings}.`)
  )
}

const words = new Intl.ListFormat("en", { type: "conjunction" })
