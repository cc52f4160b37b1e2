import type { ApiKey, NewApiKey, Scope } from "@carillon/sdk"
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings"
import type { MakeCommand } from "../MakeCommand.ts"
import { confirm } from "../Confirm.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import { limitOption, offsetOption } from "../ListOptions.ts"
import { planPost } from "@carillon/domain/plan"
import { workspaceOf } from "../workspaceOf.ts"
import type { OpenSession } from "../Session.ts"
import type { Column } from "../Table.ts"
import { shortTime } from "../Text.ts"

/** Typed by the contract, so that a new one is not forgotten; see PlatformIds. */
const known = {
  "posts:read": true,
  "posts:write": true,
  "posts:publish": true,
  "media:read": true,
  "media:write": true,
  "accounts:read": true,
  "accounts:write": true,
  admin: true
} satisfies Record<Scope, true>

const scopes = Object.keys(known) as ReadonlyArray<Scope>

const toScopes = (text: string): ReadonlyArray<Scope> =>
  text.split(",").map((value) => {
    const scope = scopes.find((one) => one === value.trim())
    if (scope === undefined) throw new InvalidArgumentError(`Allowed scopes are ${scopes.join(", ")}.`)
    return scope
  })

export const keysCommand: MakeCommand = (open) =>
  withExamples(
    new Command("keys")
      .addCommand(listCommand(open), { isDefault: true })
      .addCommand(createCommand(open))
      .addCommand(revokeCommand(open)),
    "keys list",
    "keys create newsletter --scopes posts:write,media:write"
  )

const listCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("list"), "ApiKey")
      .description("List API keys, newest first")
      .addOption(limitOption())
      .addOption(offsetOption())
      .action(async (filter) => {
        const { client, output } = await open()
        await output.list(
          await client.apiKeys.list(filter),
          columns,
          "No API keys other than the bootstrap key."
        )
      }),
    "keys list"
  )

const createCommand = (open: OpenSession) =>
  withExamples(
    new Command("create")
      .description("Create an API key; it is shown only once")
      .argument("<name>", "name to recognize the key by")
      .addOption(
        new Option("--scopes <scopes>", `scopes (comma-separated): ${scopes.join(", ")}`)
          .argParser(toScopes)
          .makeOptionMandatory()
      )
      .option(
        "--accounts <accounts>",
        "limit to these accounts (comma-separated): IDs, @handles or platforms"
      )
      .option("--expires <time>", 'expiry time, as in post --at: "in 90 days", "2027-01-01T00:00Z"')
      .option("--tz <zone>", "time zone of --expires (default: the profile's)")
      .action(async (name, { accounts, expires, scopes, tz }) => {
        const { client, output } = await open()
        // The words for accounts and times are those of a post.
        const plan = await planPost(workspaceOf(client), {
          to: accounts === undefined ? [] : [accounts],
          media: [],
          at: expires,
          tz,
          settings: []
        })
        const key = await client.apiKeys.create({
          name,
          scopes,
          ...(accounts === undefined ? {} : { social_accounts: plan.request(new Map()).social_accounts }),
          ...(plan.time === undefined ? {} : { expires_at: plan.time.instant.toISOString() })
        })
        output.result(key, () => described(key))
      }),
    "keys create newsletter --scopes posts:write,media:write",
    'keys create ci --scopes posts:publish --accounts @demo --expires "in 90 days"'
  )

const revokeCommand = (open: OpenSession) =>
  withExamples(
    new Command("revoke")
      .description("Revoke an API key immediately")
      .argument("<id>", "key ID")
      .option("--yes", "skip the confirmation prompt")
      .action(async (id, { yes }) => {
        const { client, output, terminal } = await open()
        await confirm(terminal, `Revoke key ${id}? Anything that uses it stops working.`, yes)
        const answer = await client.apiKeys.delete(id)
        output.result(answer, () => `Revoked key ${answer.id}`)
      }),
    "keys revoke 01a1fd84-0a5f-7788-97ec-9b46677293d3 --yes"
  )

const described = (key: NewApiKey): string =>
  `Key ${key.id} for ${key.scopes.join(", ")}:\n${key.key}\nSave it now: it is not shown again.`

const columns: ReadonlyArray<Column<ApiKey>> = [
  { title: "ID", of: (key) => key.id },
  { title: "NAME", of: (key) => key.name },
  { title: "LAST USED", of: (key) => shortTime(key.last_used_at) ?? "never" },
  { title: "EXPIRES", of: (key) => shortTime(key.expires_at) ?? "never" },
  { title: "ACCOUNTS", of: (key) => key.social_accounts?.join(",") ?? "all" },
  { title: "SCOPES", of: (key) => key.scopes.join(",") }
]
