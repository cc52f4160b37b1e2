import { Command, CommanderError, Option } from "@commander-js/extra-typings"
import { readFileSync } from "node:fs"
import { exitCodes } from "./CliError.ts"
import { accountsCommand } from "./commands/accounts.ts"
import { mediaCommand } from "./commands/media.ts"
import { postCommand } from "./commands/post.ts"
import { postsCommand } from "./commands/posts.ts"
import { queueCommand } from "./commands/queue.ts"
import { resultsCommand } from "./commands/results.ts"
import { openSession, type OpenSession, serviceUrl, type Terminal } from "./Session.ts"
import { printable } from "./Text.ts"

/** Runs one command line and answers with the exit code. */
export const run = async (args: ReadonlyArray<string>, terminal: Terminal): Promise<number> => {
  const program = makeProgram(terminal)
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" })
    return exitCodes.ok
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const { toFailure } = await import("./Failure.ts")
    const failure = await toFailure(error, serviceUrl(terminal, program.opts().url))
    terminal.stderr.write(`${printable(failure.text)}\n`)
    return failure.exitCode
  }
}

const makeProgram = (terminal: Terminal) => {
  const json = new Option("--json", "print JSON (the default when stdout is not a terminal)")
  const url = new Option(
    "--url <url>",
    "the service's address (default: CARILLON_URL, then http://localhost:4400)"
  )
  const program = new Command("carillon")
    .description("Schedule and publish social posts.")
    .version(version())
    .addOption(json)
    .addOption(url)
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [json, url] })
    .addHelpText("after", environment)
    .showHelpAfterError("Run it with --help to see how it is used.")
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error:/, "carillon:"))
    })
    .exitOverride()
  const open: OpenSession = () => openSession(terminal, program.opts())
  for (const command of [
    postCommand,
    postsCommand,
    queueCommand,
    accountsCommand,
    mediaCommand,
    resultsCommand
  ]) {
    program.addCommand(inherit(program, command(open)))
  }
  return program
}

const environment = `
Environment:
  CARILLON_API_KEY           the API key
  CARILLON_URL               the service's address
  CARILLON_ACCOUNT_PASSWORD  the password for "accounts connect"

Exit codes: 0 ok, 1 error, 2 wrong usage, 3 not found, 4 API key missing or not allowed, 5 conflict,
6 not published on some account`

/** Commands that are built alone do not take over how errors and help are shown. */
const inherit = <Child extends Command<any, any, any>>(
  parent: Command<any, any, any>,
  child: Child
): Child => {
  child.copyInheritedSettings(parent)
  for (const grandchild of child.commands) inherit(parent, grandchild)
  return child
}

const version = (): string =>
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version
