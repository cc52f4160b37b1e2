import { Command } from "@commander-js/extra-typings"
import type { MakeCommand } from "../Commands.ts"
import { withExamples } from "../Examples.ts"
import { describeProfile } from "./profile.ts"

export const whoamiCommand: MakeCommand = (open) =>
  withExamples(
    new Command("whoami").action(async () => {
      const { client, output, target } = await open()
      const profile = await client.profile.get()
      output.result(
        { url: target.url, key_from: target.keyFrom, ...profile },
        () => `${target.url}, with the key of ${target.keyFrom}\n${describeProfile(profile)}`
      )
    }),
    "whoami",
    "whoami --profile work"
  )
