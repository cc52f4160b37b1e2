import type { Attempt } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { useRef } from "react"
import { reconnectPath } from "../post/reconnectPath.ts"
import type { Account } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { networkName } from "../data/networkName.ts"
import { RoomAnchor } from "../ui/RoomAnchor.tsx"
import { toast } from "../ui/toasts.tsx"
import { useInstance } from "../data/instance.ts"
import type { OpenDialog } from "../post/useAnswering.tsx"
import { repairPath, duplicatePath } from "../post/editPath.ts"
import { resultWords as words } from "../post/resultWords.ts"
import { profileAddress, type ResultRow } from "../post/resultRows.ts"
import { reasonOf, signs, stateWords } from "../post/stateWords.ts"
import { ThreadItems } from "../post/ThreadItems.tsx"

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
  /** Which pages this console has. */
  readonly rooms: { readonly compose: boolean; readonly accounts: boolean }
  readonly onAsk: (asked: OpenDialog) => void
  readonly onRetry: () => void
}

/** What became of a post on one account, why, and what to do about it. */
export const ResultLine = ({ account, busy, first, log, now, onAsk, onRetry, rooms, row, sent }: Props) => {
  const { act, result, state } = row
  const network = networkName(account ?? result)
  const name = account?.name ?? ""
  const details = useRef<HTMLDetailsElement>(null)
  const { exactly, sentence } = reasonOf(row, account, network)
  const look = first ? ("main" as const) : undefined
  const testNetwork = useInstance()?.test_network_url ?? null
  const profile = state === "doubt" && account ? profileAddress(account, testNetwork) : null

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

  return (
    <li className={`result ${state}`} data-result={result.id} data-state={state}>
      {account === undefined ? <span className="avatar" /> : <Avatar account={account} />}
      <div className="told">
        <h2>
          {name} <small>{network}</small>
        </h2>
        <p className="state">
          <span className={state === "going" ? "sign swings" : "sign"} aria-hidden="true">
            <Icon name={signs[state]} />
          </span>
          {result.repaired_by?.url ? (
            <span>
              {words.state.repairedAt}{" "}
              <a href={result.repaired_by.url} target="_blank" rel="noreferrer">
                {result.repaired_by.url.replace(/^https?:\/\//, "")}
                <span className="unseen">, {words.newTab}</span>
              </a>
            </span>
          ) : (
            stateWords(row, log, name, now, workspace.timezone)
          )}
        </p>
        {result.items !== undefined && <ThreadItems items={result.items} sent={sent} />}
        {sentence !== null && (
          <p className="why">
            {sentence}
            {profile !== null && (
              <>
                {" "}
                <a href={profile} target="_blank" rel="noreferrer">
                  {words.openAccount(name)}
                  <span className="unseen">, {words.newTab}</span>
                </a>
              </>
            )}
          </p>
        )}
        {exactly !== null && exactly !== sentence && (
          <details ref={details}>
            <summary>
              {result.error?.platform_response === exactly ? words.answer(network) : words.details}
            </summary>
            <p>{exactly}</p>
          </details>
        )}
      </div>
      <div className="does">
        {act === "reconnect" && rooms.accounts && (
          <RoomAnchor className={`button ${look ?? ""}`} to={reconnectPath(result.social_account_id)}>
            {words.act.reconnect(name)}
          </RoomAnchor>
        )}
        {act === "edit" && rooms.compose && (
          <RoomAnchor
            className={`button ${look ?? ""}`}
            to={repairPath(result.post_id, result.id, [result.social_account_id])}
          >
            {words.act.edit}
          </RoomAnchor>
        )}
        {act === "rewrite" && rooms.compose && (
          <RoomAnchor
            className={`button ${look ?? ""}`}
            to={duplicatePath(result.post_id, [result.social_account_id])}
          >
            {words.act.rewrite}
          </RoomAnchor>
        )}
        {(act === "repair" || state === "repaired") && (
          <Link
            className={`button ${look ?? ""}`}
            to="/posts/$id"
            params={{ id: (result.open_repair ?? result.repaired_by)!.post_id }}
          >
            {words.act.repair}
          </Link>
        )}
        {(act === "again" || (act === "edit" && !rooms.compose)) && (
          <Button look={look} isPending={busy} onPress={onRetry}>
            {state === "broken" ? words.act.goOn : words.act.again}
          </Button>
        )}
        {act === "sendAgain" && (
          <Button isPending={busy} onPress={() => onAsk({ dialog: "again", result, name })}>
            {words.act.sendAgain}
          </Button>
        )}
        {act === "copy" && (
          <Button onPress={() => void copy()}>
            <Icon name="copy" />
            {words.act.copy}
          </Button>
        )}
        {act === "answer" && (
          <>
            <Button isPending={busy} onPress={() => onAsk({ dialog: "live", result, name })}>
              {words.act.live}
            </Button>
            <Button isPending={busy} onPress={() => onAsk({ dialog: "again", result, name })}>
              {words.act.notLive}
            </Button>
          </>
        )}
        {(state === "live" || state === "rejected") &&
          result.items === undefined &&
          result.platform_data?.url && (
            <a className="button" href={result.platform_data.url} target="_blank" rel="noreferrer">
              <span aria-hidden="true">{words.open}</span>
              <span className="unseen">
                {words.openOn(network, name)}, {words.newTab}
              </span>
              <Icon name="link" />
            </a>
          )}
      </div>
    </li>
  )
}
