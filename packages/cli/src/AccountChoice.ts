import type { Carillon, SocialAccount } from "@carillon/sdk"
import { CliError, exitCodes } from "./CliError.ts"
import { accountOf, choicesOf, describeAccount } from "@carillon/domain/plan"

export const allAccounts = async (client: Carillon): Promise<ReadonlyArray<SocialAccount>> => {
  const accounts: Array<SocialAccount> = []
  for await (const account of client.accounts.list({ limit: 200 })) accounts.push(account)
  return accounts
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

/** An account's platform; one that the test network plays says so. */
export const platformOf = ({ network, platform }: SocialAccount) =>
  network === "test" && platform !== "sandbox" ? `${platform} (test)` : platform
