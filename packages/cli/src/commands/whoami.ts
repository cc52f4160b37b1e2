import { Command } from "@commander-js/extra-typings"
import type { MakeCommand } from "../MakeCommand.ts"
import { withExamples } from "../Examples.ts"
import { credentialName, describeCredential, whereFrom } from "../CredentialText.ts"
import { describeProfile } from "./profile.ts"

export const whoamiCommand: MakeCommand = (open) =>
  withExamples(
    new Command("whoami").action(async () => {
      const { client, output, target } = await open()
      const profile = await client.profile.get()
      const credential = await describeCredential(client, profile)
      output.result({ url: target.url, credential_from: whereFrom(target), ...profile }, () =>
        [
          `${target.url}, ${credentialName(profile)}, from ${whereFrom(target)}`,
          describeProfile(profile),
          ...credential
        ].join("\n")
      )
    }),
    "whoami",
    "whoami --profile work"
  )
