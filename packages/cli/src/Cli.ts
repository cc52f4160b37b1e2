import { Command, CommanderError, Option } from "@commander-js/extra-typings"
import { readFileSync } from "node:fs"
import { CliError, exitCodes } from "./CliError.ts"
import { type CommandName, commandNames, commands } from "./Commands.ts"
import { loadFields } from "./FieldHelp.ts"
import { sessionFactory } from "./Session.ts"
import type { Terminal } from "./Terminal.ts"
import { printable } from "@carillon/domain/OneLine"

type AnyCommand = Command<any, any, any>

/** Runs one command line and answers with the exit code. */
export const run = async (args: ReadonlyArray<string>, terminal: Terminal): Promise<number> => {
  const program = await makeProgram(terminal, args)
  try {
    checkSubcommand(program, args)
    if (args.some((word) => ["--help", "-h", "help"].includes(word))) await loadFields(program)
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" })
    return exitCodes.ok
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const { toFailure } = await import("./Failure.ts")
    const failure = await toFailure(error, terminal, program.opts())
    terminal.stderr.write(`${printable(failure.text)}\n`)
    return failure.exitCode
  }
}

const makeProgram = async (terminal: Terminal, args: ReadonlyArray<string>) => {
  const json = new Option("--json", "print JSON (default when stdout is not a terminal)")
  const quiet = new Option("--quiet", "suppress notes and progress on stderr")
  const url = new Option(
    "--url <url>",
    "service URL (default: CARILLON_URL, else the profile's, else http://localhost:4400)"
  )
  const profile = new Option(
    "--profile <name>",
    'login profile to use (default: CARILLON_PROFILE, else "default")'
  )
  const everywhere = [json, quiet, url, profile]
  const program = new Command("carillon")
    .description("Schedule and publish social posts")
    .version(version())
    .addOption(json)
    .addOption(quiet)
    .addOption(url)
    .addOption(profile)
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: ({ parent }) => (parent === null ? [] : everywhere)
    })
    .addHelpText("after", epilogue)
    .showHelpAfterError("Run the command with --help for usage.")
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error:/, "carillon:")),
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
      getErrHelpWidth: () => terminal.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false
    })
    .exitOverride()
  const open = sessionFactory(terminal, () => program.opts())
  for (const name of commandNames) {
    const { load, summary } = commands[name]
    // The other commands are only named, so they need not be loaded.
    const command = isAsked(name, args) ? (await load())(open, program) : new Command(name)
    program.addCommand(inherit(program, command.description(summary)))
  }
  return program
}

/** A group whose default is `list` would report a misspelt subcommand as an extra argument. */
const checkSubcommand = (program: AnyCommand, [name, word]: ReadonlyArray<string>) => {
  const known = program.commands.find((command) => command.name() === name)?.commands.map((one) => one.name())
  if (known === undefined || known.length === 0 || word === undefined || word.startsWith("-")) return
  if ([...known, "help"].includes(word)) return
  throw new CliError(
    exitCodes.usage,
    `unknown command ${JSON.stringify(word)} for "carillon ${name}"`,
    `Available commands: ${known.join(", ")}.`
  )
}

const isAsked = (name: CommandName, args: ReadonlyArray<string>) =>
  args.includes(name) || args.includes("commands") || args.includes("completion")

const epilogue = `
Examples:
  $ carillon login
  $ carillon post "Evening bells" --media ./bells.jpg --to @demo --at "tomorrow 18:00" --wait
  $ carillon posts list --status failed
  $ carillon queue set "mon-fri 09:00" --timezone Europe/Paris

Environment:
  CARILLON_API_KEY           API key
  CARILLON_URL               service URL
  CARILLON_PROFILE           login profile to use
  CARILLON_ACCOUNT_PASSWORD  password or other secret for "accounts connect"
  CARILLON_APP_SECRET        client secret for "apps set"
  CARILLON_APP_BOT_TOKEN     bot token for "apps set discord"
  NO_COLOR                   disable color

Exit codes:
  0  success
  1  error
  2  invalid usage
  3  not found
  4  not signed in, or not allowed
  5  conflict
  6  incomplete: a post is not live on every account, or not every row was imported`

/** A command that is built alone does not inherit how errors and help are shown. */
const inherit = <Child extends AnyCommand>(parent: AnyCommand, child: Child): Child => {
  child.copyInheritedSettings(parent)
  for (const grandchild of child.commands) inherit(child, grandchild)
  return child
}

const version = (): string =>
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version
