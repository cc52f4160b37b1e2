import { Command } from "@commander-js/extra-typings"
import { withExamples } from "../Examples.ts"
import type { MakeCommand } from "../MakeCommand.ts"

export const importCommand: MakeCommand = (open) =>
  withExamples(
    new Command("import")
      .argument("<folder>", "folder written by carillon export")
      .option("--published", "also import posts that already went out")
      .action(async (folder, options) => {
        const session = await open()
        const { importWorkspace } = await import("../WorkspaceImport.ts")
        await importWorkspace(session, folder, options)
      }),
    "import ./bell-tower",
    "import ./bell-tower --profile work"
  )
