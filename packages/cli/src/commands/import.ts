import { Command } from "@commander-js/extra-typings"
import { withExamples } from "../Examples.ts"
import type { MakeCommand } from "../MakeCommand.ts"

export const importCommand: MakeCommand = (open) =>
  withExamples(
    new Command("import")
      .argument("<folder>", "one that carillon export has made")
      .option("--published", "also posts that went out, as drafts")
      .action(async (folder, options) => {
        const session = await open()
        const { importWorkspace } = await import("../WorkspaceImport.ts")
        await importWorkspace(session, folder, options)
      }),
    "import ./bell-tower",
    "import ./bell-tower --profile work"
  )
