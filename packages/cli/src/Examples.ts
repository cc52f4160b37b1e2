import type { Command } from "@commander-js/extra-typings"

type AnyCommand = Command<any, any, any>

const known = new WeakMap<AnyCommand, ReadonlyArray<string>>()

/** Shows examples in a command's help and in `carillon commands`; each as one types it, without `carillon`. */
export const withExamples = <Of extends AnyCommand>(command: Of, ...examples: ReadonlyArray<string>): Of => {
  known.set(command, examples)
  command.addHelpText("after", `\nExamples:\n${examples.map((one) => `  $ carillon ${one}`).join("\n")}`)
  return command
}

export const examplesOf = (command: AnyCommand): ReadonlyArray<string> => known.get(command) ?? []
