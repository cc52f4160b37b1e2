import { offerMatches } from "@carillon/domain/OfferMatches"
import type { OfferedAccount, SocialAccount } from "@carillon/sdk"
import { platformOf } from "./AccountChoice.ts"
import { CliError, exitCodes } from "./CliError.ts"
import type { Output } from "./Output.ts"
import { canAsk, prompt } from "./Prompt.ts"
import type { Session } from "./Session.ts"
import { type Column, table } from "./Table.ts"
import type { Terminal } from "./Terminal.ts"

/**
 * Connects some of the accounts that a sign-in offers: those that are named, else those that a person chooses. Where nobody can
 * be asked, it prints what is offered.
 */
export const chooseAccounts = async (
  { client, output, terminal }: Session,
  id: string,
  named: ReadonlyArray<string>
): Promise<void> => {
  if (named.length > 0) {
    return tellConnected(output, (await client.accounts.choose(id, { accounts: named })).data)
  }
  const pending = await client.accounts.pending(id)
  if (pending.status === "waiting") {
    throw new CliError(
      exitCodes.conflict,
      `Nobody has signed in at ${pending.platform} yet.`,
      "Open the URL that this connection began with, then repeat the command."
    )
  }
  if (pending.status === "connected") {
    return tellConnected(
      output,
      await Promise.all(pending.social_accounts.map((one) => client.accounts.get(one)))
    )
  }
  if (!canAsk(terminal)) {
    const rows = await table(numbered(pending.accounts), columns.slice(1))
    return output.result(
      pending,
      () => `${rows}\nConnect some of them with: carillon accounts choose ${id} <name>...`
    )
  }
  const chosen = await ask(terminal, output, numbered(pending.accounts))
  const { data } = await client.accounts.choose(id, { accounts: chosen.map((one) => one.id) })
  tellConnected(output, data)
}

export const tellConnected = (output: Output, accounts: ReadonlyArray<SocialAccount>) => {
  output.result(accounts, () =>
    accounts.map((one) => `Connected ${platformOf(one)} @${one.username} as account ${one.id}`).join("\n")
  )
}

interface Numbered extends OfferedAccount {
  readonly number: number
}

const numbered = (offered: ReadonlyArray<OfferedAccount>): ReadonlyArray<Numbered> =>
  offered.map((one, index) => ({ ...one, number: index + 1 }))

const columns: ReadonlyArray<Column<Numbered>> = [
  { title: "NO", of: ({ number }) => number },
  { title: "HANDLE", of: ({ username }) => `@${username}` },
  {
    title: "ACCOUNT",
    of: ({ social_account_id: id }) => (id === null ? null : `${id}, connected`),
    tone: () => "good"
  },
  { title: "NAME", of: ({ display_name }) => display_name }
]

/** More than these are searched. */
const most = 10

const ask = async (
  terminal: Terminal,
  output: Output,
  offered: ReadonlyArray<Numbered>
): Promise<ReadonlyArray<Numbered>> => {
  const isLong = offered.length > most
  output.ask(`This sign-in gives access to ${offered.length} accounts.`)
  let found = offered
  for (;;) {
    output.ask(await table(found.slice(0, most), columns, terminal.stderr.columns))
    if (found.length > most) output.ask(`and ${found.length - most} more`)
    const answer = await prompt(
      terminal,
      `Connect which? Numbers such as 1 3-5, all${isLong ? ", or a name to search for" : ""}:`
    )
    if (answer === undefined) {
      throw new CliError(exitCodes.error, "Canceled; nothing was connected.", "Run the command again.")
    }
    const text = answer.trim()
    if (text.toLowerCase() === "all") return offered
    const chosen = chosenBy(text, offered)
    if (chosen !== undefined) return chosen
    found = offered.filter(offerMatches(text))
    if (found.length === 0) {
      output.ask(`Nothing on offer matches ${JSON.stringify(text)}; the numbers are 1 to ${offered.length}.`)
      found = offered
    }
  }
}

/** Numbers and ranges of what is offered; undefined: the text is something else. */
const chosenBy = (text: string, offered: ReadonlyArray<Numbered>): ReadonlyArray<Numbered> | undefined => {
  const parts = text.split(/[\s,]+/).map((part) => /^(\d+)(?:-(\d+))?$/.exec(part))
  const ranges = parts.flatMap((part) =>
    part === null ? [] : [[Number(part[1]), Number(part[2] ?? part[1])] as const]
  )
  const isGood =
    ranges.length === parts.length &&
    ranges.every(([from, to]) => from >= 1 && from <= to && to <= offered.length)
  return isGood
    ? offered.filter(({ number }) => ranges.some(([from, to]) => from <= number && number <= to))
    : undefined
}
