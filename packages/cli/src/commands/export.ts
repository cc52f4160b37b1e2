import { Command } from "@commander-js/extra-typings"
import { withExamples } from "../Examples.ts"
import type { MakeCommand } from "../MakeCommand.ts"

export const exportCommand: MakeCommand = (open) =>
  withExamples(
    new Command("export")
      .argument("<folder>", "folder to write to: new, empty, or with an earlier export")
      .action(async (folder) => {
        const session = await open()
        const { exportWorkspace } = await import("../WorkspaceExport.ts")
        await exportWorkspace(session, folder)
      }),
    "export ./bell-tower"
  )
