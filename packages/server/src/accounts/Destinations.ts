import { defaultDestinationRules, type PlatformId, platformRules } from "@carillon/domain"
import { Result } from "effect"
import type { Destination } from "../platforms/Platform.ts"

const mostNamed = 30

/** Those with this id, else with this name; capitals count only where there is no other way to tell. */
export const destinationsCalled = (
  destinations: ReadonlyArray<Destination>,
  called: string
): ReadonlyArray<Destination> => {
  const byId = destinations.filter(({ id }) => id === called)
  if (byId.length > 0) return byId
  const exact = destinations.filter(({ name }) => name === called)
  if (exact.length > 0) return exact
  const plain = called.trim().toLowerCase()
  return destinations.filter(({ name }) => name.trim().toLowerCase() === plain)
}

/** The destination with this id or name, or what is wrong with that, to continue after the account's name. */
export const destinationCalled = (
  platform: PlatformId,
  destinations: ReadonlyArray<Destination>,
  called: string
): Result.Result<Destination, string> => {
  const { singular, plural } = defaultDestinationRules(platform)
  const [one, ...others] = destinationsCalled(destinations, called)
  if (one === undefined) return Result.fail(`has no ${singular} ${JSON.stringify(called)}.`)
  return others.length === 0
    ? Result.succeed(one)
    : Result.fail(
        `has ${others.length + 1} ${plural} called ${JSON.stringify(called)}; use the id of the one that you mean.`
      )
}

/** The destinations to choose from; null: the platform does not say. */
export const destinationsSentence = (
  platform: PlatformId,
  destinations: ReadonlyArray<Destination> | null
): string => {
  if (destinations === null) return `${platformRules[platform].name} could not be asked which there are.`
  const { plural } = defaultDestinationRules(platform)
  if (destinations.length === 0) return `It has no ${plural}.`
  const named = destinations.slice(0, mostNamed).map(({ id, name }) => `${id} (${name})`)
  const more = destinations.length > mostNamed ? `, and ${destinations.length - mostNamed} more` : ""
  return `Its ${plural}: ${named.join(", ")}${more}.`
}
