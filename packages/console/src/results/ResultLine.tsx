import type { Attempt } from "@carillon/sdk"
import { useRef } from "react"
import type { Account } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { useInstance } from "../data/instance.ts"
import { networkName } from "../data/networkName.ts"
import { duplicatePath, repairPath } from "../post/editPath.ts"
import { reconnectPath } from "../post/reconnectPath.ts"
import { profileAddress, type ResultRow, type RowState } from "../post/resultRows.ts"
import { resultWords as words } from "../post/resultWords.ts"
import { stateColors } from "../post/stateColors.ts"
import { StateSign } from "../post/StateSign.tsx"
import { reasonOf, stateWords } from "../post/stateWords.ts"
import { ThreadItems } from "../post/ThreadItems.tsx"
import type { OpenDialog } from "../post/useAnswering.tsx"
import { Actions } from "../ui/Actions.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { Button, buttonClass } from "../ui/Button.tsx"
import { ExternalLink } from "../ui/ExternalLink.tsx"
import { Icon } from "../ui/Icon.tsx"
import { RoomAnchor } from "../ui/RoomAnchor.tsx"
import { toast } from "../ui/toast.ts"

interface Props {
  readonly row: ResultRow
  readonly account: Account | undefined
  readonly log: ReadonlyArray<Attempt> | undefined
  /** The text that was sent, or those of a thread in order. */
  readonly sent: ReadonlyArray<string>
  readonly now: number
  readonly busy: boolean
  /** Whether this row has the main button of the page. */
  readonly first: boolean
  readonly onAsk: (asked: OpenDialog) => void
  readonly onRetry: () => void
}

/** Those that need a person. */
const grounds: Readonly<Partial<Record<RowState, string>>> = {
  failed: "bg-bad-tint/50",
  broken: "bg-bad-tint/50",
  rejected: "bg-bad-tint/50",
  blocked: "bg-bad-tint/50",
  doubt: "bg-doubt-tint/50"
}

/** What became of a post on one account, why, and what to do about it. */
export const ResultLine = ({ account, busy, first, log, now, onAsk, onRetry, row, sent }: Props) => {
  const { act, result, state } = row
  const { post_id, social_account_id: id } = result
  const network = networkName(account ?? result)
  const name = account?.name ?? ""
  const details = useRef<HTMLDetailsElement>(null)
  const { exactly, sentence } = reasonOf(row, account, network)
  const look = first ? "main" : undefined
  const testNetwork = useInstance()?.test_network_url ?? null
  const profile = state === "doubt" && account ? profileAddress(account, testNetwork) : null
  const repair = result.open_repair ?? result.repaired_by

  const copy = async () => {
    const text = [
      network,
      name,
      result.error?.code,
      result.error?.message,
      result.error?.platform_response,
      result.id
    ]
    try {
      await navigator.clipboard.writeText(text.filter(Boolean).join("\n"))
      toast({ icon: "check", text: words.done.copied })
    } catch {
      if (details.current !== null) details.current.open = true
      toast({ icon: "warning", text: words.done.notCopied })
    }
  }
  const link = (to: string, text: string) => (
    <RoomAnchor className={buttonClass(look)} to={to}>
      {text}
    </RoomAnchor>
  )
  const question = (dialog: OpenDialog["dialog"], text: string) => (
    <Button isPending={busy} onPress={() => onAsk({ dialog, result, name })}>
      {text}
    </Button>
  )

  return (
    <li
      className={`grid grid-cols-row items-center gap-x-3 gap-y-2 px-4 py-3 ${grounds[state] ?? ""}`}
      data-result={result.id}
      data-state={state}
    >
      <span className="self-start">{account && <Avatar account={account} size={32} />}</span>
      <div className="flex min-w-0 flex-col gap-1 text-sm">
        <h2 className="text-base">
          {name} <small className="ms-1 text-sm font-normal text-soft">{network}</small>
        </h2>
        <p className={`flex gap-1 font-semibold tabular-nums ${stateColors[state]}`}>
          <StateSign state={state} />
          {result.repaired_by?.url ? (
            <span>
              {words.state.repairedAt}{" "}
              <ExternalLink href={result.repaired_by.url}>
                {result.repaired_by.url.replace(/^https?:\/\//, "")}
              </ExternalLink>
            </span>
          ) : (
            stateWords(row, log, name, now, workspace.timezone)
          )}
        </p>
        {result.items !== undefined && <ThreadItems items={result.items} sent={sent} />}
        {sentence !== null && (
          <p className="max-w-text">
            {sentence}{" "}
            {profile !== null && <ExternalLink href={profile}>{words.openAccount(name)}</ExternalLink>}
          </p>
        )}
        {exactly !== null && exactly !== sentence && (
          <details ref={details} className="text-xs text-soft">
            <summary className="w-fit cursor-pointer py-1 max-sm:py-3">
              {result.error?.platform_response === exactly ? words.answer(network) : words.details}
            </summary>
            <p className="max-w-text whitespace-pre-wrap">{exactly}</p>
          </details>
        )}
      </div>
      <div className={act === "none" ? undefined : "max-sm:col-span-full"}>
        <Actions>
          {act === "reconnect" && link(reconnectPath(id), words.act.reconnect(name))}
          {act === "edit" && link(repairPath(post_id, result.id, [id]), words.act.edit)}
          {act === "rewrite" && link(duplicatePath(post_id, [id]), words.act.rewrite)}
          {repair !== undefined && link(`/posts/${repair.post_id}`, words.act.repair)}
          {act === "again" && (
            <Button look={look} isPending={busy} onPress={onRetry}>
              {state === "broken" ? words.act.goOn : words.act.again}
            </Button>
          )}
          {act === "sendAgain" && question("again", words.act.sendAgain)}
          {act === "copy" && (
            <Button onPress={() => void copy()}>
              <Icon name="copy" />
              {words.act.copy}
            </Button>
          )}
          {act === "answer" && (
            <>
              {question("live", words.act.live)}
              {question("again", words.act.notLive)}
            </>
          )}
          {(state === "live" || state === "rejected") &&
            result.items === undefined &&
            result.platform_data?.url && (
              <ExternalLink className={buttonClass()} href={result.platform_data.url}>
                <span aria-hidden="true">{words.open}</span>
                <span className="unseen">{words.openOn(network, name)}</span>
                <Icon name="link" />
              </ExternalLink>
            )}
        </Actions>
      </div>
    </li>
  )
}
