import type { SocialAccount } from "@carillon/sdk"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { isOwner } from "../data/may.ts"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Note } from "../ui/Note.tsx"
import { PageName } from "../ui/PageName.tsx"
import { Room } from "../ui/Room.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { toast } from "../ui/toast.ts"
import { accountMatches } from "../data/accountMatches.ts"
import { defaultOf, sorted } from "../data/access.ts"
import { AccountRow } from "./AccountRow.tsx"
import { ChooseDialog } from "./ChooseDialog.tsx"
import { ConnectDialog } from "./ConnectDialog.tsx"
import { DefaultDialog } from "./DefaultDialog.tsx"
import { DisconnectDialog } from "./DisconnectDialog.tsx"
import { words } from "./en.ts"
import { endJourney, type Outcome, outcomeOf } from "./journey.ts"
import { ReturnDialog } from "./ReturnDialog.tsx"
import type { AccountsSearch } from "./accountsSearch.ts"
import { type Account, type Accounts, accountsChanged, useAccountList } from "../data/accounts.ts"
import { useConnectable } from "../data/instance.ts"
import { useScheduledByAccount } from "../data/posts.ts"

type Asked = { readonly dialog: "default" | "disconnect"; readonly account: Account }

/** The number of accounts from which on a search field is shown. */
const many = 8

const connectedText = (outcome: Extract<Outcome, { readonly is: "connected" }>, accounts: Accounts) => {
  const [first] = outcome.accounts
  const name = (first === undefined ? undefined : accounts.get(first)?.name) ?? words.another.somebody
  if (outcome.again) return words.reconnected(name)
  return outcome.accounts.length > 1 ? words.connectedSeveral(outcome.accounts.length) : words.connected(name)
}

export const AccountsRoom = () => {
  const search = useSearch({ from: "/accounts" })
  const navigate = useNavigate({ from: "/accounts" })
  const list = useAccountList()
  const { data: accounts } = list
  const { data: counted } = useScheduledByAccount()
  const { data: connectable } = useConnectable()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [wanted, setWanted] = useState("")

  const go = (to: AccountsSearch, replace = false) =>
    void navigate({ search: { ...(search.w === undefined ? {} : { w: search.w }), ...to }, replace })

  useEffect(() => {
    if (search.connected === undefined) return
    const journey = endJourney()
    setOutcome(outcomeOf(search, journey))
    void accountsChanged()
    go(
      search.pending === undefined || journey?.id !== search.connected ? {} : { pending: search.pending },
      true
    )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each return.
  }, [search.connected])

  useEffect(() => {
    // The new account's name comes with the next list.
    if (outcome?.is !== "connected" || accounts === undefined) return
    if (!outcome.accounts.every((id) => accounts.has(id))) return
    toast({ icon: "check", text: connectedText(outcome, accounts) })
    setOutcome(null)
    // TikTok wants the person to choose who sees posts; a new account has no default yet.
    const open = outcome.accounts
      .flatMap((id) => accounts.get(id) ?? [])
      .find((account) => defaultOf(account)?.is === "audience" && defaultOf(account)?.id === null)
    if (open !== undefined) setAsked({ dialog: "default", account: open })
  }, [outcome, accounts])

  const connected = (account: SocialAccount) => {
    const before = search.reconnect
    void accountsChanged()
    go({})
    if (before !== undefined && before !== account.id) {
      setOutcome({ is: "another", accounts: [account.id], wanted: before })
    } else setOutcome({ is: "connected", accounts: [account.id], again: before !== undefined })
  }

  const reconnecting = search.reconnect === undefined ? null : (accounts?.get(search.reconnect) ?? null)
  const platform = reconnecting?.platform ?? (search.connect === "choose" ? null : (search.connect ?? null))
  const dialogOpen = reconnecting !== null || search.connect !== undefined

  const actions = {
    onReconnect: ({ id }: Account) => go({ reconnect: id }),
    onDefault: (account: Account) => setAsked({ dialog: "default", account }),
    onDisconnect: (account: Account) => setAsked({ dialog: "disconnect", account })
  }
  const close = () => setAsked(null)
  const choice = asked === null ? null : defaultOf(asked.account)

  const now = new Date()
  const all = accounts === undefined ? [] : [...accounts.values()].filter(({ demo }) => demo !== "removed")
  const searched = all.filter(accountMatches(wanted))
  const { needing, others } = sorted(searched, now)
  const row = (account: Account) => (
    <AccountRow
      key={account.id}
      account={account}
      scheduled={counted?.scheduled.get(account.id)}
      atLeast={counted?.more === true}
      now={now}
      {...actions}
    />
  )
  const connect = (
    <Button look={needing.length > 0 ? undefined : "main"} onPress={() => go({ connect: "choose" })}>
      <Icon name="plus" />
      {words.connect}
    </Button>
  )

  const content = () => {
    if (all.length === 0) {
      const test = connectable?.some(({ platform: id }) => id === "sandbox") === true
      return (
        <EmptyState title={words.empty.title} text={test ? words.empty.text : words.emptyWithoutTest}>
          {connect}
        </EmptyState>
      )
    }
    if (searched.length === 0)
      return (
        <EmptyState title={words.noMatch(wanted.trim())}>
          <Button onPress={() => setWanted("")}>{words.clear}</Button>
        </EmptyState>
      )
    return (
      <>
        {needing.length > 0 && (
          <Card label={words.needing}>
            <ul className="-mb-px">{needing.map(row)}</ul>
          </Card>
        )}
        {others.length > 0 && (
          <Card label={words.room}>
            <ul className="-mb-px grid grid-cols-accounts gap-x-4">{others.map(row)}</ul>
          </Card>
        )}
        <Note>{words.kept}</Note>
      </>
    )
  }

  return (
    <Room
      title={
        <>
          <PageName />
          {all.length > 0 && (
            <span className="text-sm font-normal text-soft">
              {words.count(
                all.filter(({ status }) => status !== "disconnected").length,
                all.filter(({ demo, status }) => status === "needs_reconnect" && demo !== "replaced").length
              )}
            </span>
          )}
        </>
      }
      beside={
        <div className="flex flex-wrap gap-2 max-sm:*:flex-1">
          {all.length >= many && (
            <span className="flex w-48 max-sm:min-w-full">
              <SearchField label={words.search} value={wanted} onChange={setWanted} />
            </span>
          )}
          {isOwner && (
            <Link to="/accounts/apps" className={buttonClass("quiet")}>
              {words.apps}
            </Link>
          )}
          {all.length > 0 && connect}
        </div>
      }
    >
      <div className="flex flex-1 flex-col gap-4">
        <Loaded query={list} failed={words.failedToLoad} rows={6}>
          {content}
        </Loaded>
      </div>
      {dialogOpen && (
        <ConnectDialog
          platform={platform}
          account={reconnecting}
          allow={search.allow}
          onChoose={(id) => go({ connect: id ?? "choose" }, true)}
          onConnected={connected}
          onClose={() => go({})}
        />
      )}
      {search.pending !== undefined && search.connected === undefined && (
        <ChooseDialog
          pending={search.pending}
          onConnected={(ids) => {
            void accountsChanged()
            go({})
            setOutcome({ is: "connected", accounts: ids, again: false })
          }}
          onAgain={() => go({ connect: "choose" })}
          onClose={() => go({})}
        />
      )}
      {outcome !== null && outcome.is !== "connected" && accounts !== undefined && (
        <ReturnDialog
          outcome={outcome}
          accounts={accounts}
          onClose={() => setOutcome(null)}
          onAgain={() => {
            setOutcome(null)
            if (outcome.is === "another") go({ reconnect: outcome.wanted })
            else if (outcome.journey.account !== null) go({ reconnect: outcome.journey.account })
            else go({ connect: outcome.journey.platform })
          }}
        />
      )}
      {asked?.dialog === "default" && choice !== null && (
        <DefaultDialog account={asked.account} choice={choice} onClose={close} />
      )}
      {asked?.dialog === "disconnect" && <DisconnectDialog account={asked.account} onClose={close} />}
    </Room>
  )
}
