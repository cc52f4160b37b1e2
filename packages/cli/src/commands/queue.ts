import type { FreeSlotList, Queue } from "@carillon/sdk"
import { Command, Option } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { confirm } from "../Confirm.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import { numberFrom } from "../ListOptions.ts"
import type { Column } from "../Table.ts"
import { count } from "../Text.ts"

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const
type Slot = Queue["slots"][number]

export const queueCommand: MakeCommand = (open) =>
  withExamples(
    new Command("queue")
      .addCommand(
        withExamples(
          withFields(new Command("show"), "Queue")
            .description("Show the queue's slots")
            .action(async () => {
              const { client, output } = await open()
              const queue = await client.queue.get()
              output.result(queue, () => describeQueue(queue))
            }),
          "queue show"
        ),
        { isDefault: true }
      )
      .addCommand(
        withExamples(
          new Command("set")
            .description("Change the queue's slots, time zone or jitter")
            .argument(
              "[slots...]",
              'slots that replace all others: "mon 09:00" "mon-fri 17:30" "daily 12:00"'
            )
            .option("--timezone <name>", 'IANA time zone of the slots, or "profile" for the profile\'s')
            .addOption(
              new Option(
                "--jitter <minutes>",
                "publish up to this many minutes after the slot, at random"
              ).argParser(numberFrom(0, 30))
            )
            .action(async (slots, { timezone, jitter }) => {
              const changes = {
                ...(timezone === undefined ? {} : { timezone: timezone === "profile" ? null : timezone }),
                ...(slots.length === 0 ? {} : { slots: slots.flatMap(readSlots) }),
                ...(jitter === undefined ? {} : { jitter_minutes: jitter })
              }
              if (Object.keys(changes).length === 0) {
                throw new CliError(
                  exitCodes.usage,
                  "Nothing to change: give slots, --timezone or --jitter.",
                  "Remove all slots with: carillon queue clear"
                )
              }
              const { client, output } = await open()
              const queue = await client.queue.set({ ...(await client.queue.get()), ...changes })
              output.result(queue, () => describeQueue(queue))
            }),
          'queue set "mon-fri 09:00" "sat 11:30" --timezone Europe/Paris --jitter 5',
          "queue set --timezone Asia/Tokyo"
        )
      )
      .addCommand(
        withExamples(
          new Command("clear")
            .description("Remove all slots from the queue")
            .option("--yes", "skip the confirmation prompt")
            .action(async ({ yes }) => {
              const { client, output, terminal } = await open()
              const queue = await client.queue.get()
              const slots = count(queue.slots.length, "slot")
              await confirm(terminal, `Remove ${slots}? Queued posts keep their times.`, yes)
              const cleared = await client.queue.set({ ...queue, slots: [] })
              output.result(cleared, () => `Removed ${slots}`)
            }),
          "queue clear --yes"
        )
      )
      .addCommand(
        withExamples(
          new Command("next")
            .description("List the next free slots")
            .addOption(
              new Option("--count <number>", "number of slots").default(10).argParser(numberFrom(1, 200))
            )
            .option("--timezone <name>", "IANA time zone of the slots (default: the queue's)")
            .action(async ({ count: many, timezone }) => {
              const { client, output } = await open()
              const free = await client.queue.next({
                count: many,
                ...(timezone === undefined ? {} : { timezone })
              })
              await output.rows(free, free.data, columns, "No free slots within 90 days.")
            }),
          "queue next --count 3"
        )
      ),
    "queue show",
    'queue set "daily 12:00"'
  )

/** `mon 09:00`, `mon-fri 17:30`, `daily 12:00`. */
const readSlots = (text: string): ReadonlyArray<Slot> => {
  const [, days = "", time = ""] = /^(\S+)\s+(\d\d:\d\d)$/.exec(text.trim().toLowerCase()) ?? []
  const [first, last = first] = days === "daily" ? ["mon", "sun"] : days.split("-")
  const [from, to] = [first, last].map((day) => weekdays.findIndex((weekday) => weekday === day))
  if (time === "" || from === undefined || to === undefined || from < 0 || to < from) {
    throw new CliError(
      exitCodes.usage,
      `${JSON.stringify(text)} is not a valid slot.`,
      'Give a day and a time, such as "mon 09:00", "mon-fri 17:30", "daily 12:00".'
    )
  }
  return weekdays.slice(from, to + 1).map((day) => ({ day, time }))
}

const describeQueue = ({ timezone, slots, jitter_minutes }: Queue): string =>
  slots.length === 0
    ? 'The queue has no slots. Add some with: carillon queue set "mon-fri 09:00"'
    : [
        ...weekdays.flatMap((weekday) => {
          const times = slots.filter(({ day }) => day === weekday).map(({ time }) => time)
          return times.length === 0 ? [] : [`${weekday}  ${times.join("  ")}`]
        }),
        `Time zone: ${timezone ?? "the profile's"}`,
        ...(jitter_minutes === 0 ? [] : [`Jitter: up to ${count(jitter_minutes, "minute")}`])
      ].join("\n")

const columns: ReadonlyArray<Column<FreeSlotList["data"][number]>> = [
  { title: "TIME", of: (slot) => slot.local.replace("T", " ").replace(/:00\.000(?=[+-])/, "") },
  { title: "ZONE", of: (slot) => slot.timezone }
]
