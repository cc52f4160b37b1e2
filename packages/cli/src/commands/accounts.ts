import type { ConnectAccount, SocialAccount } from "@carillon/sdk"
import { Command, Option } from "@commander-js/extra-typings"
import { limitOption, offsetOption, platformOption } from "../ListOptions.ts"
import type { OpenSession, Session } from "../Session.ts"
import type { Column } from "../Table.ts"

const statuses = ["connected", "needs_reconnect", "disconnected"] as const

export const accountsCommand = (open: OpenSession) =>
  new Command("accounts")
    .description("List the social accounts that posts can go to")
    .addOption(platformOption())
    .addOption(new Option("--status <status>", "only these").choices(statuses))
    .addOption(limitOption())
    .addOption(offsetOption())
    .action(async (filter) => {
      const { client, output } = await open()
      await output.list(
        await client.accounts.list(filter),
        columns,
        "No accounts. Connect one with: carillon accounts connect --help"
      )
    })
    .addCommand(connectCommand(open))

const connectCommand = (open: OpenSession) =>
  new Command("connect")
    .description("Connect an account, or renew its credentials")
    .addHelpText(
      "after",
      `
The password is asked for, read from stdin, or taken from CARILLON_ACCOUNT_PASSWORD.

Examples:
  echo sandbox | carillon accounts connect sandbox alice
  carillon accounts connect bluesky alice.bsky.social`
    )
    .addCommand(
      new Command("sandbox")
        .description("An account on the test network: any name, with the password sandbox")
        .argument("<username>")
        .action(async (username) => {
          const session = await open()
          const { readSecret } = await import("../Secret.ts")
          const password = await readSecret(session.terminal, "Password")
          await connect(session, { platform: "sandbox", credentials: { username, password } })
        })
    )
    .addCommand(
      new Command("bluesky")
        .description(
          "A Bluesky account, with an app password (Settings, Privacy and security, App passwords)"
        )
        .argument("<handle>", "such as alice.bsky.social, or a DID")
        .option("--service <url>", "the address of its server (default: found from the handle)")
        .action(async (handle, { service }) => {
          const session = await open()
          const { readSecret } = await import("../Secret.ts")
          const app_password = await readSecret(session.terminal, "App password")
          await connect(session, {
            platform: "bluesky",
            credentials: {
              identifier: handle.replace(/^@/, ""),
              app_password,
              ...(service === undefined ? {} : { service })
            }
          })
        })
    )

const connect = async ({ client, output }: Session, request: ConnectAccount) => {
  const account = await client.accounts.connect(request)
  output.result(account, () => `Connected ${account.platform} @${account.username} as account ${account.id}`)
}

const columns: ReadonlyArray<Column<SocialAccount>> = [
  { title: "ID", of: (account) => account.id },
  { title: "PLATFORM", of: (account) => account.platform },
  { title: "HANDLE", of: (account) => `@${account.username}` },
  { title: "STATUS", of: (account) => account.status },
  { title: "NAME", of: (account) => account.display_name }
]
