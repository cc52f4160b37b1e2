import type { Command } from "@commander-js/extra-typings"

type AnyCommand = Command<any, any, any>

type Resource =
  | "ApiKey"
  | "AuditEntry"
  | "ClientReview"
  | "Media"
  | "Notifications"
  | "Post"
  | "Profile"
  | "Queue"
  | "ReviewLink"
  | "SinglePostResult"
  | "SocialAccount"
  | "Webhook"

const printed = new WeakMap<AnyCommand, Resource>()

/** Says in a command's help what the fields mean of what it prints as JSON. */
export const withFields = <Of extends AnyCommand>(command: Of, resource: Resource): Of => {
  printed.set(command, resource)
  return command
}

/** For a command line that asks for help. The domain is only loaded here: it takes longer than the whole command line. */
export const loadFields = async (program: AnyCommand) => {
  const commands = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]
  const telling = commands.filter((command) => printed.has(command))
  if (telling.length === 0) return
  const { sentenceOf, ...domain } = await import("@carillon/domain")
  for (const command of telling) {
    const fields = Object.entries(domain[printed.get(command)!].fields)
    const widest = Math.max(...fields.map(([name]) => name.length))
    command.addHelpText("after", () => {
      const help = command.createHelp()
      help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth!() })
      const lines = fields.map(([name, { ast }]) => help.formatItem(name, widest, sentenceOf(ast)!, help))
      return `\nFields in JSON:\n${lines.join("\n")}`
    })
  }
}
