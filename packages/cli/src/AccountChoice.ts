import type { Carillon, SocialAccount } from "@carillon/sdk"
import { CliError, exitCodes } from "./CliError.ts"
import { isPlatformId } from "@carillon/domain/PlatformFacts"

/** Splits `--to sandbox,@demo,42`. */
export const choicesOf = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.flatMap((value) => value.split(",")).flatMap((one) => (one.trim() === "" ? [] : [one.trim()]))

export const allAccounts = async (client: Carillon): Promise<ReadonlyArray<SocialAccount>> => {
  const accounts: Array<SocialAccount> = []
  for await (const account of client.accounts.list({ limit: 200 })) accounts.push(account)
  return accounts
}

/**
 * The account behind a choice: an id (`42`), a platform (`sandbox`), a handle (`@demo`, `demo`), or both
 * (`sandbox/@demo`). It must mean exactly one. `from` is the option that named it.
 */
export const accountOf = (
  choice: string,
  accounts: ReadonlyArray<SocialAccount>,
  from: string
): SocialAccount => {
  const usable = accounts.filter(
    (account) => account.status !== "disconnected" || String(account.id) === choice
  )
  const matches = usable.filter((account) => means(choice, account))
  const [match] = matches
  if (match === undefined) {
    throw new CliError(
      exitCodes.notFound,
      `${from}: no connected account matches ${JSON.stringify(choice)}.`,
      usable.length === 0
        ? "See how to connect one with: carillon accounts connect --help"
        : `Connected accounts: ${usable.map(describeAccount).join(", ")}.`
    )
  }
  if (matches.length > 1) {
    throw new CliError(
      exitCodes.usage,
      `${from}: ${JSON.stringify(choice)} matches several accounts: ${matches.map(describeAccount).join(", ")}.`,
      "Name one by its ID, or as platform/@handle."
    )
  }
  return match
}

/** The accounts that `--account` names, each of which there has to be. */
export const accountIds = async (
  client: Carillon,
  values: ReadonlyArray<string>
): Promise<ReadonlyArray<number>> => {
  const choices = choicesOf(values)
  if (choices.length === 0) throw new CliError(exitCodes.usage, "--account is empty.")
  const accounts = await allAccounts(client)
  return choices.map((choice) => accountOf(choice, accounts, "--account").id)
}

/** What to say of the demo accounts among these whose networks have an app or an account of their own now. */
export const demoHints = (accounts: ReadonlyArray<SocialAccount>): ReadonlyArray<string> =>
  accounts.flatMap((account) =>
    account.demo === "replaced"
      ? [
          `${describeAccount(account)} is a demo account, and its network has an app or an account of yours now. If you ` +
            `remove it, its drafts stay and its scheduled posts fail: carillon accounts disconnect ${account.id}`
        ]
      : []
  )

const means = (choice: string, account: SocialAccount): boolean => {
  if (/^\d+$/.test(choice)) return String(account.id) === choice
  const [, platform, handle] = /^([a-z]+)\/@?(.+)$/.exec(choice) ?? []
  if (platform !== undefined) return account.platform === platform && isHandle(handle!, account)
  // A platform's name is never taken for a handle: a handle of that name needs its @.
  return isPlatformId(choice) ? account.platform === choice : isHandle(choice.replace(/^@/, ""), account)
}

const isHandle = (handle: string, account: SocialAccount) =>
  account.username.replace(/^@/, "").toLowerCase() === handle.toLowerCase()

export const describeAccount = (account: SocialAccount) =>
  `${account.id} (${account.platform}/@${account.username.replace(/^@/, "")})`

/** An account's platform; one that the test network plays says so. */
export const platformOf = ({ network, platform }: SocialAccount) =>
  network === "test" && platform !== "sandbox" ? `${platform} (test)` : platform
