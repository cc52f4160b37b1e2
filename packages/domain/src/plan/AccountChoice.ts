import { isPlatformId, type PlatformId } from "../PlatformFacts.ts"
import { Unusable } from "./Unusable.ts"

export interface ChosenAccount {
  readonly id: number
  readonly platform: PlatformId
  readonly username: string
  readonly status: string
}

/** Splits `--to sandbox,@demo,42`. */
export const choicesOf = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.flatMap((value) => value.split(",")).flatMap((one) => (one.trim() === "" ? [] : [one.trim()]))

/**
 * The account behind a choice: an id (`42`), a platform (`sandbox`), a handle (`@demo`, `demo`), or both
 * (`sandbox/@demo`). It must mean exactly one. `from` is the option that named it.
 */
export const accountOf = <Account extends ChosenAccount>(
  choice: string,
  accounts: ReadonlyArray<Account>,
  from: string
): Account => {
  const usable = accounts.filter(
    (account) => account.status !== "disconnected" || String(account.id) === choice
  )
  const matches = usable.filter((account) => means(choice, account))
  const [match] = matches
  if (match === undefined) {
    throw new Unusable(
      `${from}: no connected account matches ${JSON.stringify(choice)}.`,
      usable.length === 0
        ? "See how to connect one with: carillon accounts connect --help"
        : `Connected accounts: ${usable.map(describeAccount).join(", ")}.`,
      { isMissing: true }
    )
  }
  if (matches.length > 1) {
    throw new Unusable(
      `${from}: ${JSON.stringify(choice)} matches several accounts: ${matches.map(describeAccount).join(", ")}.`,
      "Name one by its ID, or as platform/@handle."
    )
  }
  return match
}

const means = (choice: string, account: ChosenAccount): boolean => {
  if (/^\d+$/.test(choice)) return String(account.id) === choice
  const [, platform, handle] = /^([a-z]+)\/@?(.+)$/.exec(choice) ?? []
  if (platform !== undefined) return account.platform === platform && isHandle(handle!, account)
  // A platform's name is never taken for a handle: a handle of that name needs its @.
  return isPlatformId(choice) ? account.platform === choice : isHandle(choice.replace(/^@/, ""), account)
}

const isHandle = (handle: string, account: ChosenAccount) =>
  account.username.replace(/^@/, "").toLowerCase() === handle.toLowerCase()

export const describeAccount = (account: ChosenAccount) =>
  `${account.id} (${account.platform}/@${account.username.replace(/^@/, "")})`
