import { Argument, Command } from "@commander-js/extra-typings"
import { commandTree, globalOptionsOf } from "../CommandTree.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { completionScript, shells } from "../CompletionScripts.ts"
import { withExamples } from "../Examples.ts"

export const completionCommand: MakeCommand = (_open, program) =>
  withExamples(
    new Command("completion")
      .addArgument(new Argument("<shell>", "shell to generate the script for").choices(shells))
      .addHelpText("after", installing)
      .action((shell) => {
        const commands = commandTree(program)
        // A script to be read by the shell, whatever stdout is.
        program.configureOutput().writeOut?.(completionScript(shell, commands, globalOptionsOf(program)))
      }),
    "completion bash > ~/.local/share/bash-completion/completions/carillon",
    "completion zsh > ~/.zsh/completions/_carillon",
    "completion fish > ~/.config/fish/completions/carillon.fish"
  )

const installing = `
The script completes commands, options and their values without running carillon.
Generate it again after an update.`
