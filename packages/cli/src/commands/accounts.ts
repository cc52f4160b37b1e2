import type { CredentialForm } from "@carillon/domain"
import type { ConnectAccount, PlatformId, SocialAccount, SocialAccountOptions } from "@carillon/sdk"
import { Argument, Command, Option } from "@commander-js/extra-typings"
import { accountOf, describeAccount } from "@carillon/domain/plan"
import { allAccounts, demoHints, platformOf } from "../AccountChoice.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { CliError, exitCodes } from "../CliError.ts"
import { confirm } from "../Confirm.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import { limitOption, offsetOption, platformOption } from "../ListOptions.ts"
import { accessFinding } from "@carillon/domain/AccessNotice"
import { permissionNames } from "@carillon/domain/Permissions"
import { platformIds } from "@carillon/domain/PlatformFacts"
import type { OpenSession, Session } from "../Session.ts"
import type { Column } from "../Table.ts"
import { bytes, count } from "../Text.ts"
import { color, toneOf } from "../Color.ts"

const statuses = ["connected", "needs_reconnect", "disconnected"] as const

export const accountsCommand: MakeCommand = (open) =>
  withExamples(
    new Command("accounts")
      .addCommand(listCommand(open), { isDefault: true })
      .addCommand(connectCommand(open))
      .addCommand(chooseCommand(open))
      .addCommand(optionsCommand(open))
      .addCommand(setCommand(open))
      .addCommand(disconnectCommand(open)),
    "accounts",
    "accounts connect tiktok",
    "accounts options @demo"
  )

const listCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("list"), "SocialAccount")
      .description("List social accounts")
      .addOption(platformOption())
      .addOption(new Option("--status <status>", "filter by status").choices(statuses))
      .addOption(limitOption())
      .addOption(offsetOption())
      .action(async (filter) => {
        const { client, output } = await open()
        const accounts = await client.accounts.list(filter)
        await output.list(
          accounts,
          columns,
          "No accounts. See how to connect one with: carillon accounts connect --help"
        )
        for (const hint of demoHints(accounts.data)) output.note(hint)
      }),
    "accounts list --status needs_reconnect"
  )

const connectCommand = (open: OpenSession) =>
  withExamples(
    new Command("connect")
      .description("Connect or reconnect a social account")
      .addArgument(new Argument("<platform>", "platform of the account").choices(platformIds))
      .argument("[account]", "handle, server, channel or name; see below")
      .option("--service <url>", "bluesky: URL of the account's server (default: found from the handle)")
      .option("--token", "mastodon: use an access token instead of the browser")
      .option("--login <kind>", "sign-in method: instagram or facebook; linkedin or linkedin_pages; discord")
      .option("--choose <names...>", "accounts to connect if the sign-in offers several")
      .option("--reconnect <account>", "reconnect this account (ID or @handle) and no other")
      .option("--others", "with --reconnect: offer the sign-in's other accounts too")
      .addOption(
        new Option("--allow <permission...>", "ask for more than publishing").choices([...permissionNames])
      )
      .option("--no-browser", "print the sign-in URL instead of opening it")
      .addHelpText("after", explanation)
      .action(
        async (platform, account, { allow, browser, choose, login, others, reconnect, service, token }) => {
          const form = await formOf(platform)
          const named = form?.find(({ secret }) => !secret)
          // The test network has a page of its own too.
          const byConsent =
            form === undefined || login === platform || (platform === "sandbox" && account === undefined)
          if (!byConsent && named?.required && account === undefined) {
            throw new CliError(
              exitCodes.usage,
              `Missing account. Usage: carillon accounts connect ${platform} <${named.label.toLowerCase()}>`
            )
          }
          const atServer = named?.before_consent === true && token !== true
          if (byConsent || atServer) {
            const { connectInBrowser } = await import("../ConnectInBrowser.ts")
            const session = await open()
            return connectInBrowser(
              session,
              {
                platform,
                ...(login === undefined ? {} : { login }),
                ...(allow === undefined ? {} : { permissions: allow }),
                ...(atServer ? { fields: { [named.name]: account! } } : {}),
                ...(reconnect === undefined
                  ? {}
                  : { social_account_id: await idOf(session.client, reconnect) }),
                ...(others === undefined ? {} : { offer_others: others })
              },
              { chosen: choose, mayOpen: browser }
            )
          }
          const session = await open()
          const { readSecret } = await import("../Secret.ts")
          const secret = form.find((field) => field.secret)
          const password =
            secret && (await readSecret(session.terminal, secret.label, "CARILLON_ACCOUNT_PASSWORD"))
          const typed = [
            [named?.name, account],
            [secret?.name, password],
            [form.find(({ name }) => name === "service")?.name, service]
          ] as const
          await connect(session, {
            platform,
            credentials: Object.fromEntries(
              typed.filter(([name, value]) => name !== undefined && value !== undefined)
            )
          } as ConnectAccount)
        }
      ),
    "accounts connect tiktok",
    "accounts connect instagram --login facebook",
    "accounts connect instagram --login facebook --choose bakery shop",
    "accounts connect instagram --login facebook --reconnect @bakery --others",
    "accounts connect youtube --allow first_comment playlists",
    "accounts connect linkedin --login linkedin_pages",
    "accounts connect bluesky alice.bsky.social",
    "accounts connect mastodon mastodon.social",
    "accounts connect mastodon mastodon.social --token",
    "accounts connect telegram @bells",
    "accounts connect discord",
    "accounts connect discord --login discord",
    "accounts connect sandbox alice"
  )

const chooseCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("choose"), "SocialAccount")
      .description("Choose among the accounts that a sign-in offers")
      .argument("<id>", "ID of the pending connection")
      .argument("[names...]", "accounts by handle or ID (default: ask, or list them without a terminal)")
      .action(async (id, names) => {
        const { chooseAccounts } = await import("../ChooseAccounts.ts")
        await chooseAccounts(await open(), id, names)
      }),
    "accounts choose 019a9d3c-0000-7000-8000-000000000001 bakery shop"
  )

/** The fields of a platform's form. The domain is only loaded here: it takes longer than the whole command line. */
const formOf = async (platform: PlatformId) => {
  const { connectForm, credentialForms } = await import("@carillon/domain")
  const forms: Readonly<Partial<Record<PlatformId, CredentialForm>>> = credentialForms
  return forms[platform] && connectForm(forms[platform]).fields
}

const explanation = `
Most platforms are connected on their own page in the browser. These take something you type:
  bluesky <handle>           app password, from Settings > Privacy and security > App passwords
  mastodon <server>          no secret: you sign in on that server's page in the browser
  mastodon <server> --token  access token of an application that you created on the server
  telegram <channel>         bot token
  discord                    webhook URL
  discord <channel-id>       bot token
  discord --login discord    no secret: you add this instance's bot to a server in the browser
  sandbox <name>             password "sandbox" (the test network accepts any name)

Secrets come from CARILLON_ACCOUNT_PASSWORD if set, else from a terminal prompt, else from stdin.`

const connect = async ({ client, output }: Session, request: ConnectAccount) => {
  const account = await client.accounts.connect(request)
  output.result(
    account,
    () => `Connected ${platformOf(account)} @${account.username} as account ${account.id}`
  )
}

const optionsCommand = (open: OpenSession) =>
  withExamples(
    new Command("options")
      .description("Show an account's limits and the options that --set accepts")
      .argument("<account>", "account ID, @handle or platform")
      .action(async (choice) => {
        const { client, output } = await open()
        const options = await client.accounts.options(await idOf(client, choice))
        output.result(options, () => describeOptions(options))
      }),
    "accounts options @demo",
    "accounts options 42 --json"
  )

/** An end of the access is said from the time on at which the service tells of it. */
const statusOf = (account: SocialAccount) =>
  accessFinding(account, Date.now()) === undefined
    ? account.status
    : `connected, ends ${account.access_expires_at!.slice(0, 10)}`

const orNone = (given: string) => (given === "none" ? null : given)

const setCommand = (open: OpenSession) =>
  withExamples(
    new Command("set")
      .description("Change an account's defaults")
      .argument("<account>", "account ID, @handle or platform")
      .option("--default-board <board>", 'pinterest: default board, by ID or name; "none" clears it')
      .option(
        "--default-audience <level>",
        'tiktok: default privacy_level (see "accounts options"); "none" clears it'
      )
      .action(async (choice, { defaultAudience, defaultBoard }) => {
        if (defaultAudience === undefined && defaultBoard === undefined) {
          throw new CliError(
            exitCodes.usage,
            "Nothing to change: give --default-board or --default-audience."
          )
        }
        const { client, output } = await open()
        const account = await client.accounts.update(await idOf(client, choice), {
          ...(defaultBoard === undefined ? {} : { default_board_id: orNone(defaultBoard) }),
          ...(defaultAudience === undefined ? {} : { default_privacy_level: orNone(defaultAudience) })
        })
        const { default_board_id: board, default_privacy_level: level } = account
        output.result(account, () =>
          [
            ...(defaultBoard === undefined
              ? []
              : [
                  `Default board of ${describeAccount(account)}: ${board ?? "none; posts without a board are refused"}`
                ]),
            ...(defaultAudience === undefined
              ? []
              : [
                  `Default audience of ${describeAccount(account)}: ${level ?? "none; posts without one use the widest on offer"}`
                ])
          ].join("\n")
        )
      }),
    "accounts set pinterest --default-board Recipes",
    "accounts set tiktok --default-audience FOLLOWER_OF_CREATOR"
  )

const disconnectCommand = (open: OpenSession) =>
  withExamples(
    new Command("disconnect")
      .description("Disconnect an account; posts scheduled for it will fail")
      .argument("<account>", "account ID, @handle or platform")
      .option("--yes", "skip the confirmation prompt")
      .action(async (choice, { yes }) => {
        const { client, output, terminal } = await open()
        const account = await client.accounts.get(await idOf(client, choice))
        await confirm(
          terminal,
          `Disconnect ${describeAccount(account)}? Posts scheduled for it will fail.`,
          yes
        )
        const answer = await client.accounts.disconnect(account.id)
        output.result(answer, () => `Disconnected ${describeAccount(account)}`)
      }),
    "accounts disconnect 42 --yes"
  )

const idOf = async (client: Session["client"], choice: string): Promise<number> =>
  /^\d+$/.test(choice) ? Number(choice) : accountOf(choice, await allAccounts(client), "account").id

const media = (
  kind: string,
  { max_bytes, max_count }: { readonly max_count?: number; readonly max_bytes?: number }
): string =>
  `up to ${count(max_count ?? 1, kind)}${max_bytes === undefined ? "" : ` of up to ${bytes(max_bytes)}`}`

const describeOptions = ({
  choices,
  choices_error,
  placements,
  platform,
  schema
}: SocialAccountOptions): string => {
  const properties = (schema as { readonly properties?: Record<string, { readonly description?: string }> })
    .properties
  return [
    ...placements.map(
      ({ caption, images, name, text_only, videos }) =>
        `${platform} ${name}: ${[
          `caption of up to ${caption.max} ${caption.unit.replaceAll("_", " ")}`,
          ...(images === undefined ? [] : [media("image", images)]),
          ...(videos === undefined ? [] : [media("video", videos)]),
          text_only ? "media optional" : "media required"
        ].join(", ")}`
    ),
    ...Object.entries(choices).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ...(choices_error === null ? [] : [color("busy", choices_error)]),
    "",
    `--set ${platform}.<option>=<value>:`,
    ...Object.entries(properties ?? {}).map(
      ([name, { description = "" }]) => `  ${name.padEnd(28)}${description}`
    )
  ].join("\n")
}

const columns: ReadonlyArray<Column<SocialAccount>> = [
  { title: "ID", of: (account) => account.id },
  { title: "PLATFORM", of: platformOf },
  { title: "HANDLE", of: (account) => `@${account.username}` },
  { title: "STATUS", of: statusOf, tone: (account) => toneOf(account.status) },
  { title: "NAME", of: (account) => account.display_name }
]
