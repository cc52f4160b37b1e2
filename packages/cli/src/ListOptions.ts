import { InvalidArgumentError, Option } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "./CliError.ts"
import { collect } from "./PostOptions.ts"
import { platformIds } from "@carillon/domain/PlatformFacts"

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.")
  return Number(text)
}

/** A whole number within a range. */
export const numberFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const number = wholeNumber(text)
    if (number < least || number > most)
      throw new InvalidArgumentError(`It must be between ${least} and ${most}.`)
    return number
  }

export const limitOption = () =>
  new Option("--limit <n>", "maximum number of results (default: 50)").argParser(wholeNumber)
export const offsetOption = () =>
  new Option("--offset <n>", "number of results to skip").argParser(wholeNumber)

/** `accountIds` resolves its values. */
export const accountOption = (what = "filter by account") =>
  new Option(
    "--account <accounts>",
    `${what} (comma-separated): IDs, @handles or platforms; can be repeated`
  ).argParser(collect)

export const platformOption = () =>
  new Option("--platform <platform>", "filter by platform").choices(platformIds)

/** `noun` names one value, such as `status`. */
export const severalOf =
  <const Known extends ReadonlyArray<string>>(noun: string, known: Known) =>
  (text: string): ReadonlyArray<Known[number]> => {
    const values = text.split(",").map((value) => value.trim())
    const wrong = values.find((value) => !known.includes(value))
    if (wrong === undefined) return values
    throw new CliError(
      exitCodes.usage,
      `${JSON.stringify(wrong)} is not a valid ${noun}.`,
      `Use one or more of ${known.join(", ")}, separated by commas.`
    )
  }

/** Days and times as the service takes them. Only words and times without a zone need to know the profile's. */
export const readDays = async <Name extends string>(
  given: Readonly<Record<Name, string | undefined>>,
  timeZone: () => Promise<string>
): Promise<{ readonly [Key in Name]?: string }> => {
  const asked = Object.entries<string | undefined>(given).filter(([, text]) => text !== undefined)
  if (asked.length === 0) return {}
  const { parseDayOrTime } = await import("./ScheduledTime.ts")
  const zone = asked.every(([, text]) => /^\d{4}-\d{2}-\d{2}(T.*Z)?$/i.test(text!)) ? "UTC" : await timeZone()
  return Object.fromEntries(asked.map(([name, text]) => [name, parseDayOrTime(text!, zone, new Date())])) as {
    readonly [Key in Name]?: string
  }
}

export const isoTime = (text: string): string => {
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new CliError(
    exitCodes.usage,
    `${JSON.stringify(text)} is not a valid time.`,
    "Use ISO 8601, such as 2026-12-01T00:00:00Z."
  )
}
