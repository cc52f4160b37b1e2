import { lackingPermissions } from "@carillon/server/platforms/discord/DiscordPermissions"
import { assert, describe, it } from "@effect/vitest"

// Every expectation here is from https://docs.discord.com/developers/topics/permissions and …/topics/threads#permissions.

const view = 1 << 10
const send = 1 << 11
const embed = 1 << 14
const attach = 1 << 15
const connect = 1 << 20
const inThreads = 2 ** 38
const all = view + send + embed + attach

const [guild_id, ringer, tower, bot] = ["1", "2", "3", "4"]
const role = (id: string, permissions: number) => ({ id, permissions: String(permissions) })
const overwrite = (id: string, { allow = 0, deny = 0 }) => ({
  id,
  allow: String(allow),
  deny: String(deny)
})

/** What the bot lacks with two roles, of which the first gives these permissions, in a channel of this type. */
const lacking = (
  permissions: number,
  overwrites: ReadonlyArray<ReturnType<typeof overwrite>> = [],
  type = 0
) =>
  lackingPermissions({ guild_id, type, overwrites }, { id: bot, roles: [ringer, tower] }, [
    role(guild_id, 0),
    role(ringer, permissions),
    role(tower, 0),
    role("9", 2 ** 40 - 1)
  ])

const named = (sentence: string | undefined) =>
  [...(sentence ?? "").matchAll(/"([^"]+)"/g)].map(([, name]) => name)

describe("a bot's permissions in a channel", () => {
  it.each([
    ["all that it needs, by a role", all, [], []],
    [
      "nothing from a role that it has not",
      0,
      [],
      ["View Channel", "Send Messages", "Attach Files", "Embed Links"]
    ],
    ["what no role gives", view + send, [], ["Attach Files", "Embed Links"]],
    ["what the channel takes from everyone", all, [overwrite(guild_id, { deny: send })], ["Send Messages"]],
    ["what the channel gives everyone", view + send, [overwrite(guild_id, { allow: attach + embed })], []],
    [
      "what one role may have that another may not, whatever their order",
      all,
      [overwrite(tower, { allow: view }), overwrite(ringer, { deny: view })],
      []
    ],
    [
      "what the channel gives to its role after it took it from everyone",
      all,
      [overwrite(ringer, { allow: send }), overwrite(guild_id, { deny: send })],
      []
    ],
    [
      "what the channel takes from the bot itself, whatever its roles may",
      all,
      [overwrite(bot, { deny: attach }), overwrite(ringer, { allow: attach })],
      ["Attach Files"]
    ],
    [
      "what the channel gives the bot itself, whatever its roles may not",
      0,
      [overwrite(bot, { allow: all }), overwrite(ringer, { deny: all })],
      []
    ],
    ["nothing of an overwrite for others", all, [overwrite("9", { deny: all })], []],
    ["everything as an administrator", 1 << 3, [overwrite(guild_id, { deny: all })], []]
  ] as const)("a bot's permissions in a channel are %s", (_, permissions, overwrites, missing) => {
    assert.deepStrictEqual(named(lacking(permissions, overwrites)), [...missing])
  })

  it.each([
    ["in a thread", 11, all, ["Send Messages in Threads"]],
    ["in a private thread", 12, view + embed + attach + inThreads, []],
    ["in a voice channel", 2, all, ["Connect"]],
    ["on a stage", 13, all + connect, []]
  ] as const)("a bot's permissions in a channel are others %s", (_, type, permissions, missing) => {
    assert.deepStrictEqual(named(lacking(permissions, [], type)), [...missing])
  })

  it("a bot's permissions in a channel are told with the place where they are given", () => {
    assert.strictEqual(
      lacking(view + send),
      'The bot is not allowed to post in the channel: it lacks "Attach Files" and "Embed Links". Allow them for the bot\'s role in ' +
        "the settings of the server under Roles, or for the bot in the settings of the channel under Permissions."
    )
    assert.match(
      lacking(all, [overwrite(guild_id, { deny: send })])!,
      /the channel denies it: allow it for the bot in the settings of the channel under Permissions\.$/
    )
    assert.match(lacking(all, [], 11)!, /the thread's channel under Permissions\.$/)
  })
})
