import { Command } from "@commander-js/extra-typings"
import { commandTree, globalOptionsOf } from "../CommandTree.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { withExamples } from "../Examples.ts"

export const commandsCommand: MakeCommand = (open, program) =>
  withExamples(
    new Command("commands").action(async () => {
      const { output } = open.local()
      const commands = commandTree(program)
      await output.rows(
        { name: program.name(), version: program.version(), options: globalOptionsOf(program), commands },
        commands,
        [
          { title: "COMMAND", of: ({ command }) => command },
          { title: "DESCRIPTION", of: ({ summary }) => summary }
        ],
        ""
      )
    }),
    "commands --json"
  )
