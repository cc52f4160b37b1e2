import { oneLine } from "@carillon/domain/OneLine"
import { platformAppNames, platformApps } from "@carillon/domain/PlatformApps"
import type { PlatformApp, PlatformAppName } from "@carillon/sdk"
import { Argument, Command } from "@commander-js/extra-typings"
import { demoHints } from "../AccountChoice.ts"
import { CliError, exitCodes } from "../CliError.ts"
import { confirm } from "../Confirm.ts"
import { withExamples } from "../Examples.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { readSecret } from "../Secret.ts"
import type { OpenSession } from "../Session.ts"
import type { Column } from "../Table.ts"
import { count } from "../Text.ts"

const appArgument = () => new Argument("<app>", "app name").choices(platformAppNames)

export const appsCommand: MakeCommand = (open) =>
  withExamples(
    new Command("apps")
      .addCommand(listCommand(open), { isDefault: true })
      .addCommand(setCommand(open))
      .addCommand(testCommand(open))
      .addCommand(removeCommand(open)),
    "apps list",
    "apps set tiktok aw1b2c3d"
  )

const listCommand = (open: OpenSession) =>
  withExamples(
    new Command("list").description("List apps with their sources and redirect URLs").action(async () => {
      const { client, output } = await open()
      const list = await client.platformApps.list()
      await output.rows(list, list.data, columns, "")
    }),
    "apps list"
  )

const setCommand = (open: OpenSession) =>
  withExamples(
    new Command("set")
      .description("Set an app's client ID; its secrets are prompted for or read from stdin")
      .addArgument(appArgument())
      .argument("<id>", "client ID, as shown by the platform")
      .option("--yes", "skip the confirmation prompt")
      .action(async (app, id, { yes }) => {
        const { client, output, terminal } = await open()
        const before = await shownOf(client.platformApps.list(), app)
        const client_secret = await readSecret(terminal, "Client secret", "CARILLON_APP_SECRET")
        const { botToken } = platformApps[app]
        const bot_token = botToken && (await readSecret(terminal, botToken, "CARILLON_APP_BOT_TOKEN"))
        if (before.accounts > 0 && before.client_id !== id) {
          await confirm(terminal, `${connectedAgain(before)} Set the app?`, yes)
        }
        const answer = await client.platformApps.set(app, {
          client_id: id,
          client_secret,
          ...(bot_token === undefined ? {} : { bot_token })
        })
        output.result(
          answer,
          () => `Set the ${app} app. Register this redirect URL with the platform: ${answer.redirect_url}`
        )
        const { data } = await client.accounts.list({ platform: answer.platform, limit: 200 })
        for (const hint of demoHints(data)) output.note(hint)
      }),
    "apps set tiktok aw1b2c3d"
  )

const testCommand = (open: OpenSession) =>
  withExamples(
    new Command("test")
      .description("Check an app's ID and secret with the platform")
      .addArgument(appArgument())
      .action(async (app) => {
        const { client, output } = await open()
        const answer = await client.platformApps.test(app)
        output.result(answer, () => oneLine(answer.message))
        if (answer.result !== "accepted") {
          throw new CliError(
            exitCodes.error,
            `The ${app} app was not accepted.`,
            `Set it with: carillon apps set ${app} <id>`
          )
        }
      }),
    "apps test google"
  )

const removeCommand = (open: OpenSession) =>
  withExamples(
    new Command("remove")
      .description("Remove a stored app; apps from the environment stay")
      .addArgument(appArgument())
      .option("--yes", "skip the confirmation prompt")
      .action(async (app, { yes }) => {
        const { client, output, terminal } = await open()
        const before = await shownOf(client.platformApps.list(), app)
        await confirm(terminal, `${connectedAgain(before)} Remove the ${app} app?`.trim(), yes)
        const answer = await client.platformApps.remove(app)
        output.result(answer, () => `Removed the ${answer.app} app`)
      }),
    "apps remove tiktok --yes"
  )

const shownOf = async (list: Promise<{ readonly data: ReadonlyArray<PlatformApp> }>, app: PlatformAppName) =>
  (await list).data.find((one) => one.app === app)!

const connectedAgain = ({ accounts, source }: PlatformApp) =>
  accounts === 0 || source === "environment"
    ? ""
    : `${count(accounts, "account")} will have to be reconnected.`

const columns: ReadonlyArray<Column<PlatformApp>> = [
  { title: "APP", of: ({ app }) => app },
  { title: "SOURCE", of: ({ source }) => source.replace("_", " ") },
  { title: "ID", of: ({ client_id }) => client_id },
  { title: "ACCOUNTS", of: ({ accounts }) => String(accounts) },
  { title: "REDIRECT URL", of: ({ redirect_url }) => redirect_url }
]
