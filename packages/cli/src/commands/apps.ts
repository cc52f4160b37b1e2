import { platformAppNames } from "@carillon/domain/PlatformApps"
import type { PlatformApp, PlatformAppName } from "@carillon/sdk"
import { Argument, Command } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import { confirm } from "../Confirm.ts"
import { withExamples } from "../Examples.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { readSecret } from "../Secret.ts"
import type { OpenSession } from "../Session.ts"
import type { Column } from "../Table.ts"

const appArgument = () => new Argument("<app>", "whose app").choices(platformAppNames)

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
    new Command("list")
      .description("List the apps, where each comes from, and the address to enter at the platform")
      .action(async () => {
        const { client, output } = await open()
        const list = await client.platformApps.list()
        await output.rows(list, list.data, columns, "")
      }),
    "apps list"
  )

const setCommand = (open: OpenSession) =>
  withExamples(
    new Command("set")
      .description("Set the id and secret of an app; the secret is asked for, or read from stdin")
      .addArgument(appArgument())
      .argument("<id>", "its id, as the platform shows it")
      .option("--yes", "do not ask, even if accounts have to be connected again")
      .action(async (app, id, { yes }) => {
        const { client, output, terminal } = await open()
        const before = await shownOf(client.platformApps.list(), app)
        const client_secret = await readSecret(terminal, "secret", "CARILLON_APP_SECRET")
        if (before.accounts > 0 && before.client_id !== id) {
          await confirm(terminal, `${connectedAgain(before)} Set the app?`, yes)
        }
        const answer = await client.platformApps.set(app, { client_id: id, client_secret })
        output.result(
          answer,
          () => `Set the app of ${app}. Enter there as redirect address: ${answer.redirect_url}`
        )
      }),
    "apps set tiktok aw1b2c3d"
  )

const testCommand = (open: OpenSession) =>
  withExamples(
    new Command("test")
      .description("Ask the platform whether it knows the app and its secret")
      .addArgument(appArgument())
      .action(async (app) => {
        const { client, output } = await open()
        const answer = await client.platformApps.test(app)
        output.result(answer, () => answer.message)
        if (answer.result !== "accepted") {
          throw new CliError(
            exitCodes.error,
            `The app of ${app} is not accepted.`,
            "carillon apps set sets it."
          )
        }
      }),
    "apps test google"
  )

const removeCommand = (open: OpenSession) =>
  withExamples(
    new Command("remove")
      .description("Forget an app that was set; one of the environment stays")
      .addArgument(appArgument())
      .option("--yes", "do not ask")
      .action(async (app, { yes }) => {
        const { client, output, terminal } = await open()
        const before = await shownOf(client.platformApps.list(), app)
        await confirm(terminal, `${connectedAgain(before)} Forget the app of ${app}?`.trim(), yes)
        const answer = await client.platformApps.remove(app)
        output.result(answer, () => `Forgot the app of ${answer.app}`)
      }),
    "apps remove tiktok --yes"
  )

const shownOf = async (list: Promise<{ readonly data: ReadonlyArray<PlatformApp> }>, app: PlatformAppName) =>
  (await list).data.find((one) => one.app === app)!

const connectedAgain = ({ accounts, source }: PlatformApp) =>
  accounts === 0 || source === "environment"
    ? ""
    : `${accounts === 1 ? "1 account has" : `${accounts} accounts have`} to be connected again.`

const columns: ReadonlyArray<Column<PlatformApp>> = [
  { title: "APP", of: ({ app }) => app },
  { title: "FROM", of: ({ source }) => source.replace("_", " ") },
  { title: "ID", of: ({ client_id }) => client_id },
  { title: "ACCOUNTS", of: ({ accounts }) => String(accounts) },
  { title: "REDIRECT ADDRESS", of: ({ redirect_url }) => redirect_url }
]
