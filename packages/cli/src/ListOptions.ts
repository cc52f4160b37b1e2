import { InvalidArgumentError, Option } from "@commander-js/extra-typings"
import { platformIds } from "./PlatformIds.ts"

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.")
  return Number(text)
}

/** A whole number of a range. */
export const numberFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const number = wholeNumber(text)
    if (number < least || number > most)
      throw new InvalidArgumentError(`It must be from ${least} to ${most}.`)
    return number
  }

export const limitOption = () =>
  new Option("--limit <n>", "how many at most (default: 50)").argParser(wholeNumber)
export const offsetOption = () => new Option("--offset <n>", "how many to leave out").argParser(wholeNumber)

export const platformOption = () =>
  new Option("--platform <platform>", "only this platform").choices(platformIds)
