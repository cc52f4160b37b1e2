import type { NewWebhook, Webhook, WebhookDelivery, WebhookEventType } from "@carillon/sdk"
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { confirm } from "../Confirm.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import { limitOption, offsetOption } from "../ListOptions.ts"
import type { OpenSession } from "../Session.ts"
import type { Column } from "../Table.ts"
import { shortTime } from "../Text.ts"
import { toneOf } from "../Color.ts"

/** Typed by the contract, so that a new one is not forgotten; see PlatformIds. */
const known = {
  "post.created": true,
  "post.updated": true,
  "post.deleted": true,
  "post.approval_requested": true,
  "post.reviewed": true,
  "post.scheduled": true,
  "post.published": true,
  "post.failed": true,
  "post.result": true,
  "result.rejected": true,
  "media.ready": true,
  "media.failed": true,
  "account.connected": true,
  "account.expiring": true,
  "account.warning": true,
  "account.needs_reconnect": true,
  "account.disconnected": true
} satisfies Record<WebhookEventType, true>

const eventTypes = Object.keys(known) as ReadonlyArray<WebhookEventType>

const toEvents = (text: string): ReadonlyArray<WebhookEventType> =>
  text.split(",").map((value) => {
    const type = eventTypes.find((one) => one === value.trim())
    if (type === undefined) throw new InvalidArgumentError(`Allowed events are ${eventTypes.join(", ")}.`)
    return type
  })

const eventsOption = () =>
  new Option("--events <types>", "event types, comma-separated (default: all)").argParser(toEvents)

export const webhooksCommand: MakeCommand = (open) =>
  withExamples(
    new Command("webhooks")
      .addCommand(listCommand(open), { isDefault: true })
      .addCommand(addCommand(open))
      .addCommand(testCommand(open))
      .addCommand(deliveriesCommand(open))
      .addCommand(redeliverCommand(open))
      .addCommand(resumeCommand(open))
      .addCommand(deleteCommand(open))
      .addCommand(listenCommand(open)),
    "webhooks add https://newsroom.example/carillon --events post.published,post.failed",
    "webhooks listen --forward-to http://localhost:3000/webhooks"
  )

const listCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("list"), "Webhook")
      .description("List webhooks, newest first")
      .addOption(limitOption())
      .addOption(offsetOption())
      .action(async (filter) => {
        const { client, output } = await open()
        await output.list(
          await client.webhooks.list(filter),
          columns,
          "No webhooks. Add one with: carillon webhooks add <url>"
        )
      }),
    "webhooks list"
  )

const addCommand = (open: OpenSession) =>
  withExamples(
    new Command("add")
      .description("Add a webhook; its secret is shown only once")
      .argument("<url>", "public http or https URL to send events to")
      .addOption(eventsOption())
      .option("--description <text>", "description of the webhook")
      .action(async (url, { description, events = eventTypes }) => {
        const { client, output } = await open()
        const webhook = await client.webhooks.create({
          url,
          events,
          ...(description === undefined ? {} : { description })
        })
        output.result(webhook, () => described(webhook))
      }),
    "webhooks add https://newsroom.example/carillon --events post.published,post.failed"
  )

const testCommand = (open: OpenSession) =>
  withExamples(
    new Command("test")
      .description("Send a test event and print the outcome")
      .argument("<id>", "webhook ID")
      .action(async (id) => {
        const { client, output } = await open()
        const delivery = await client.webhooks.test(id)
        output.result(delivery, () => outcomeOf(delivery))
        if (delivery.status === "delivered") return
        throw new CliError(
          exitCodes.someFailed,
          `The test was not delivered: ${reasonOf(delivery)}.`,
          "Check that the URL responds with 2xx within 15 seconds."
        )
      }),
    "webhooks test 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const deliveriesCommand = (open: OpenSession) =>
  withExamples(
    new Command("deliveries")
      .description("List a webhook's deliveries from the last 30 days, newest first")
      .argument("<id>", "webhook ID")
      .addOption(
        new Option("--status <status>", "filter by status").choices([
          "pending",
          "delivered",
          "failed"
        ] as const)
      )
      .addOption(limitOption())
      .addOption(offsetOption())
      .action(async (id, filter) => {
        const { client, output } = await open()
        await output.list(await client.webhooks.deliveries(id, filter), deliveryColumns, "No deliveries.")
      }),
    "webhooks deliveries 01a1fd84-0a5f-7788-97ec-9b46677293d3 --status failed"
  )

const redeliverCommand = (open: OpenSession) =>
  withExamples(
    new Command("redeliver")
      .description("Send a delivery's event again")
      .argument("<delivery>", "delivery ID")
      .action(async (id) => {
        const { client, output } = await open()
        const delivery = await client.webhooks.redeliver(id)
        output.result(delivery, () => outcomeOf(delivery))
      }),
    "webhooks redeliver 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const resumeCommand = (open: OpenSession) =>
  withExamples(
    new Command("resume")
      .description("Resume a paused webhook and send its waiting events")
      .argument("<id>", "webhook ID")
      .action(async (id) => {
        const { client, output } = await open()
        const webhook = await client.webhooks.update(id, { status: "active" })
        output.result(webhook, () => `Webhook ${webhook.id} is ${webhook.status}`)
      }),
    "webhooks resume 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const deleteCommand = (open: OpenSession) =>
  withExamples(
    new Command("delete")
      .description("Delete a webhook")
      .argument("<id>", "webhook ID")
      .option("--yes", "skip the confirmation prompt")
      .action(async (id, { yes }) => {
        const { client, output, terminal } = await open()
        await confirm(terminal, `Delete webhook ${id}?`, yes)
        const answer = await client.webhooks.delete(id)
        output.result(answer, () => `Deleted webhook ${answer.id}`)
      }),
    "webhooks delete 01a1fd84-0a5f-7788-97ec-9b46677293d3 --yes"
  )

const listenCommand = (open: OpenSession) =>
  withExamples(
    new Command("listen")
      .description("Print events as they happen, and forward them to a local URL")
      .option("--forward-to <url>", "forward each event to this URL, signed as a webhook is")
      .addOption(eventsOption())
      .action(async (options) => {
        const { listen } = await import("../Listen.ts")
        await listen(await open(), options)
      }),
    "webhooks listen",
    "webhooks listen --forward-to http://localhost:3000/webhooks --events post.published,post.failed"
  )

const described = (webhook: NewWebhook): string =>
  [
    `Webhook ${webhook.id} for ${webhook.events.join(", ")}`,
    `Secret: ${webhook.secret}`,
    "Save the secret now: it is not shown again. Test the webhook with:",
    `  carillon webhooks test ${webhook.id}`
  ].join("\n")

const reasonOf = ({ error, response_status }: WebhookDelivery): string =>
  error === "bad_status"
    ? `the response was ${response_status}`
    : (error ?? "no response yet").replaceAll("_", " ")

const outcomeOf = (delivery: WebhookDelivery): string =>
  delivery.status === "delivered"
    ? `Delivered: the response was ${delivery.response_status}`
    : `${delivery.status === "failed" ? "Not delivered" : "Pending"}: ${reasonOf(delivery)}`

const columns: ReadonlyArray<Column<Webhook>> = [
  { title: "ID", of: (webhook) => webhook.id },
  { title: "STATUS", of: (webhook) => webhook.status, tone: (webhook) => toneOf(webhook.status) },
  { title: "EVENTS", of: (webhook) => webhook.events.length },
  { title: "URL", of: (webhook) => webhook.url, whole: true }
]

const deliveryColumns: ReadonlyArray<Column<WebhookDelivery>> = [
  { title: "ID", of: (delivery) => delivery.id },
  { title: "EVENT", of: (delivery) => delivery.event_type },
  { title: "STATUS", of: (delivery) => delivery.status, tone: (delivery) => toneOf(delivery.status) },
  { title: "ATTEMPTS", of: (delivery) => delivery.attempts },
  { title: "TIME", of: (delivery) => shortTime(delivery.last_attempt_at ?? delivery.next_attempt_at) },
  { title: "RESPONSE", of: (delivery) => delivery.response_status ?? delivery.error }
]
