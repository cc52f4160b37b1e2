import { Command } from "@commander-js/extra-typings"
import { withExamples } from "../Examples.ts"
import type { MakeCommand } from "../MakeCommand.ts"

export const importCommand: MakeCommand = (open) =>
  withExamples(
    new Command("import")
      .argument("<export>", "folder written by carillon export, or .tar file saved in the console")
      .option("--published", "also import posts that already went out")
      .action(async (path, options) => {
        const session = await open()
        const { importWorkspace } = await import("../WorkspaceImport.ts")
        await importWorkspace(session, path, options)
      }),
    "import ./bell-tower",
    "import carillon-export-2026-11-29.tar",
    "import ./bell-tower --profile work"
  )
