import type { Profile } from "@carillon/sdk"
import { Command } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"

export const profileCommand: MakeCommand = (open) =>
  withExamples(
    new Command("profile")
      .addCommand(
        withExamples(
          withFields(new Command("show"), "Profile")
            .description("Show the workspace, its time zone and your scopes")
            .action(async () => {
              const { client, output } = await open()
              const profile = await client.profile.get()
              output.result(profile, () => describeProfile(profile))
            }),
          "profile show"
        ),
        { isDefault: true }
      )
      .addCommand(
        withExamples(
          new Command("set")
            .description("Change the workspace's name or time zone")
            .option("--name <name>", "new name of the workspace")
            .option("--timezone <zone>", "IANA time zone of times without one")
            .action(async (changes) => {
              if (Object.keys(changes).length === 0) {
                throw new CliError(exitCodes.usage, "Nothing to change: give --name, --timezone or both.")
              }
              const { client, output } = await open()
              const profile = await client.profile.update(changes)
              output.result(profile, () => describeProfile(profile))
            }),
          "profile set --timezone Europe/Paris"
        )
      ),
    "profile",
    "profile set --timezone Europe/Paris"
  )

export const describeProfile = ({ scopes, timezone, workspace }: Profile): string =>
  `Workspace ${workspace.name} (${workspace.id})\nTime zone: ${timezone}\nScopes: ${scopes.join(", ")}`
