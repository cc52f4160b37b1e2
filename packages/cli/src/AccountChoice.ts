import type { Carillon, SocialAccount } from "@carillon/sdk"
import { CliError, exitCodes } from "./CliError.ts"
import { isPlatformId } from "./PlatformIds.ts"

/** Splits `--to sandbox,@demo,42`. */
export const choicesOf = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.flatMap((value) => value.split(",")).flatMap((one) => (one.trim() === "" ? [] : [one.trim()]))

const isId = (choice: string) => /^\d+$/.test(choice)

/**
 * The ids behind choices: an id (`42`), a platform (`sandbox`), a handle (`@demo`, `demo`), or both
 * (`sandbox/@demo`). Each choice must mean exactly one account.
 */
export const resolveAccounts = (
  choices: ReadonlyArray<string>,
  accounts: ReadonlyArray<SocialAccount>
): ReadonlyArray<number> => [
  ...new Set(choices.map((choice) => (isId(choice) ? Number(choice) : oneOf(choice, accounts).id)))
]

/** Asks the service for its accounts only when something else than ids was given. */
export const accountIds = async (
  client: Carillon,
  choices: ReadonlyArray<string>
): Promise<ReadonlyArray<number>> =>
  resolveAccounts(choices, choices.every(isId) ? [] : await allAccounts(client))

const allAccounts = async (client: Carillon): Promise<ReadonlyArray<SocialAccount>> => {
  const accounts: Array<SocialAccount> = []
  while (true) {
    const page = await client.accounts.list({ limit: 200, offset: accounts.length })
    accounts.push(...page.data)
    if (page.meta.next === null || page.data.length === 0) return accounts
  }
}

const oneOf = (choice: string, accounts: ReadonlyArray<SocialAccount>): SocialAccount => {
  const usable = accounts.filter((account) => account.status !== "disconnected")
  const matches = usable.filter((account) => means(choice, account))
  const [match] = matches
  if (match === undefined) {
    throw new CliError(
      exitCodes.notFound,
      `--to: no connected account is ${JSON.stringify(choice)}.`,
      usable.length === 0
        ? "Connect one first: carillon accounts connect --help"
        : `Connected are ${usable.map(describe).join(", ")}.`
    )
  }
  if (matches.length > 1) {
    throw new CliError(
      exitCodes.usage,
      `--to: ${JSON.stringify(choice)} can be any of ${matches.map(describe).join(", ")}.`,
      "Say which one by its id, or as platform/@handle."
    )
  }
  return match
}

const means = (choice: string, account: SocialAccount): boolean => {
  const [, platform, handle] = /^([a-z]+)\/@?(.+)$/.exec(choice) ?? []
  if (platform !== undefined) return account.platform === platform && isHandle(handle!, account)
  // A name of a platform is never taken for a handle: that needs its @.
  return isPlatformId(choice) ? account.platform === choice : isHandle(choice.replace(/^@/, ""), account)
}

const isHandle = (handle: string, account: SocialAccount) =>
  account.username.replace(/^@/, "").toLowerCase() === handle.toLowerCase()

const describe = (account: SocialAccount) =>
  `${account.id} (${account.platform}/@${account.username.replace(/^@/, "")})`
