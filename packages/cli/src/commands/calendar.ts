import type { Calendar, CalendarFilter } from "@carillon/sdk"
import { Command, Option } from "@commander-js/extra-typings"
import { accountIds } from "../AccountChoice.ts"
import { CliError, exitCodes } from "../CliError.ts"
import { color, toneOf } from "../Color.ts"
import { withExamples } from "../Examples.ts"
import { accountOption, numberFrom, platformOption, readDays, severalOf } from "../ListOptions.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { workspaceOf } from "../workspaceOf.ts"
import { oneLine } from "@carillon/domain/OneLine"
import { count } from "../Text.ts"

const statuses = ["scheduled", "published", "failed", "draft"] as const

export const calendarCommand: MakeCommand = (open) =>
  withExamples(
    new Command("calendar")
      .option("--from <day>", "first day, such as 2030-12-01 or tomorrow (default: today)")
      .option("--to <day>", "last day (default: two weeks in all; maximum: 62 days)")
      .option("--tz <zone>", "time zone of the days (default: the profile's)")
      .addOption(
        new Option("--per-day <n>", "maximum number of posts per day (default: 6)").argParser(
          numberFrom(1, 200)
        )
      )
      .addOption(accountOption())
      .addOption(platformOption())
      .addOption(
        new Option(
          "--status <statuses>",
          `filter by status (comma-separated): ${statuses.join(", ")}`
        ).argParser(severalOf("status", statuses))
      )
      .action(async ({ tz, perDay, account, from, to, ...filter }) => {
        const { client, output } = await open()
        const days = await readDays({ from, to }, async () => tz ?? workspaceOf(client).timeZone())
        for (const day of Object.values(days)) checkDate(day)
        const asked: CalendarFilter = {
          ...filter,
          ...days,
          ...(tz === undefined ? {} : { timezone: tz }),
          ...(perDay === undefined ? {} : { per_day: perDay }),
          ...(account === undefined ? {} : { social_account_id: await accountIds(client, account) })
        }
        const calendar = await client.posts.calendar(asked)
        output.result(calendar, () => describeCalendar(calendar))
      }),
    "calendar",
    "calendar --from 2030-12-01 --to 2030-12-31 --tz Europe/Paris --status scheduled,draft"
  )

const checkDate = (text: string): void => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return
  throw new CliError(
    exitCodes.usage,
    `${JSON.stringify(text)} is a time, and the calendar has whole days.`,
    "Use a date such as 2026-12-24, or a word such as tomorrow."
  )
}

const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" })

const describeCalendar = ({ timezone, days }: Calendar): string =>
  [
    `Times in ${timezone}`,
    ...days.flatMap((day) => {
      const more = day.total - day.posts.length
      return [
        `${weekday.format(Date.parse(day.date))} ${day.date}: ${
          day.total === 0 ? "no posts" : count(day.total, "post")
        }${day.total_relation === "at_least" ? " or more" : ""}`,
        ...day.posts.map(
          (post) =>
            `  ${post.local} ${color(toneOf(post.status), post.status)} ${post.id} ${oneLine(post.excerpt ?? "")}`
        ),
        ...(more > 0 ? [`  and ${more} more`] : []),
        ...(day.free_slots.length === 0 ? [] : [`  free: ${day.free_slots.join(", ")}`])
      ]
    })
  ].join("\n")
