import type { Command } from "@commander-js/extra-typings"
import { examplesOf } from "./Examples.ts"

/** A command in `carillon commands`, for programs. */
export interface CommandNode {
  /** As it is typed: `posts list`. */
  readonly command: string
  readonly summary: string
  readonly arguments: ReadonlyArray<{
    readonly name: string
    readonly description: string
    readonly required: boolean
    readonly variadic: boolean
    readonly choices: ReadonlyArray<string> | null
  }>
  readonly options: ReadonlyArray<{
    readonly flags: string
    readonly name: string
    readonly description: string
    readonly takes_value: boolean
    readonly required: boolean
    readonly repeatable: boolean
    readonly choices: ReadonlyArray<string> | null
  }>
  readonly examples: ReadonlyArray<string>
}

type AnyCommand = Command<any, any, any>

/** Every command and group below `program`, in the order of the help. */
export const commandTree = (program: AnyCommand): ReadonlyArray<CommandNode> =>
  program.commands.flatMap((command) => [nodeOf(command), ...commandTree(command)])

/** The options that every command has. */
export const globalOptionsOf = (program: AnyCommand) => program.options.map(describeOption)

const nodeOf = (command: AnyCommand): CommandNode => ({
  command: pathOf(command),
  summary: command.description(),
  arguments: command.registeredArguments.map((argument) => ({
    name: argument.name(),
    description: argument.description,
    required: argument.required,
    variadic: argument.variadic,
    choices: argument.argChoices ?? null
  })),
  options: command.options.map(describeOption),
  examples: examplesOf(command).map((example) => `carillon ${example}`)
})

const pathOf = (command: AnyCommand): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

const describeOption = (option: AnyCommand["options"][number]) => ({
  flags: option.flags,
  name: option.long ?? option.flags,
  description: option.description,
  takes_value: option.required || option.optional,
  required: option.mandatory,
  repeatable: option.description.includes("repeated"),
  choices: option.argChoices ?? null
})
