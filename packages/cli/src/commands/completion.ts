import { Argument, Command } from "@commander-js/extra-typings"
import { commandTree, globalOptionsOf } from "../CommandTree.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { completionScript, shells } from "../CompletionScripts.ts"
import { withExamples } from "../Examples.ts"

export const completionCommand: MakeCommand = (_open, program) =>
  withExamples(
    new Command("completion")
      .addArgument(new Argument("<shell>", "which shell the script is for").choices(shells))
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
Prints a script that completes commands, options and their values. It does not run carillon, so it is instant; make it
again after an update.`
