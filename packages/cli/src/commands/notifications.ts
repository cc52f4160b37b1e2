import type { NotificationAttempt, NotificationEvent, NotificationFormat, Notifications } from "@carillon/sdk"
import { oneLine } from "@carillon/domain/OneLine"
import { Command, Option } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import { confirm } from "../Confirm.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import { severalOf } from "../ListOptions.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { readSecret } from "../Secret.ts"
import type { OpenSession } from "../Session.ts"

/** Typed by the contract, so that a new one is not forgotten; see PlatformIds. */
const formats = Object.keys({
  slack: true,
  discord: true,
  mattermost: true,
  ntfy: true,
  json: true
} satisfies Record<NotificationFormat, true>) as ReadonlyArray<NotificationFormat>

const events = Object.keys({
  "post.result": true,
  "post.approval_requested": true,
  "account.needs_reconnect": true
} satisfies Record<NotificationEvent, true>) as ReadonlyArray<NotificationEvent>

export const notificationsCommand: MakeCommand = (open) =>
  withExamples(
    new Command("notifications")
      .addCommand(showCommand(open), { isDefault: true })
      .addCommand(setCommand(open))
      .addCommand(testCommand(open))
      .addCommand(deleteCommand(open)),
    "notifications",
    "notifications set"
  )

const showCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("show"), "Notifications")
      .description("Show where people are told, and the last attempt")
      .action(async () => {
        const { client, output } = await open()
        const notifications = await client.notifications.get()
        output.result(notifications, () => described(notifications))
      }),
    "notifications show"
  )

const setCommand = (open: OpenSession) =>
  withExamples(
    new Command("set")
      .description("Set where people are told; the address is prompted for or read from stdin")
      .addOption(
        new Option("--format <format>", "what the address understands (default: what it says)").choices(
          formats
        )
      )
      .addOption(
        new Option("--events <events>", `events, comma-separated: ${events.join(", ")}`).argParser(
          severalOf("event", events)
        )
      )
      .action(async (given) => {
        const { client, output, terminal } = await open()
        const url = await readSecret(terminal, "Address", "CARILLON_NOTIFICATIONS_URL")
        const notifications = await client.notifications.set({ ...given, url })
        output.result(notifications, () => described(notifications))
      }),
    "notifications set",
    "notifications set --format mattermost < address.txt"
  )

const testCommand = (open: OpenSession) =>
  withExamples(
    new Command("test").description("Send a test message and print the outcome").action(async () => {
      const { client, output } = await open()
      const attempt = await client.notifications.test()
      output.result(attempt, () => outcomeOf(attempt))
      if (attempt.error === null) return
      throw new CliError(
        exitCodes.someFailed,
        `The test was not delivered: ${outcomeOf(attempt)}.`,
        "Check the address and its format, and set them again."
      )
    }),
    "notifications test"
  )

const deleteCommand = (open: OpenSession) =>
  withExamples(
    new Command("delete")
      .description("Tell nobody any more")
      .option("--yes", "skip the confirmation prompt")
      .action(async ({ yes }) => {
        const { client, output, terminal } = await open()
        await confirm(terminal, "Tell nobody any more?", yes)
        const answer = await client.notifications.delete()
        output.result(answer, () => "Nobody is told")
      }),
    "notifications delete --yes"
  )

const outcomeOf = ({ error, response_status }: NotificationAttempt): string =>
  response_status === null ? (error ?? "").replaceAll("_", " ") : `the response was ${response_status}`

const described = ({
  events: told,
  format,
  last_attempt,
  status,
  status_reason,
  url
}: Notifications): string =>
  url === null
    ? "Nobody is told. Set an address with: carillon notifications set"
    : [
        `${url} (${format}, ${status}) for ${told.join(", ")}`,
        ...(status_reason === null ? [] : [oneLine(status_reason)]),
        last_attempt === null
          ? "There was nothing to tell yet."
          : `Last attempt at ${last_attempt.at}: ${outcomeOf(last_attempt)}`
      ].join("\n")
