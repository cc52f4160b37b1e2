import type { Post } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { networkName } from "../data/networkName.ts"
import { resultWords as words } from "../post/resultWords.ts"
import { type HistoryEntry, historyOf } from "./historyOf.ts"
import { clock, formatMoment } from "../post/formatMoment.ts"
import { saidBy } from "../post/resultRows.ts"
import { type Logs, mostLogs } from "../data/posts.ts"

interface Props {
  readonly post: Post
  readonly logs: Logs
  readonly accounts: Accounts
  readonly now: number
}

export const History = ({ accounts, logs, now, post }: Props) => {
  const several = new Set(post.results.map(({ platform }) => platform)).size < post.results.length
  const named = ({ account, platform }: HistoryEntry) => {
    const of = accounts.get(account!)
    const network = networkName(of ?? { platform: platform! })
    const name = of?.name
    return several && name !== undefined ? `${network} ${name}` : network
  }
  const told = (entry: HistoryEntry) => {
    const { message, what } = entry
    if (what === "made") return words.history.made(post.created_by?.name ?? null)
    if (what === "asked" || what === "approved" || what === "refused")
      return words.history.approval[what](entry.by ?? null)
    if (what === "due") return words.history.planned(formatMoment(entry.at, now, workspace.timezone))
    const said = what === "failed" ? (saidBy(message ?? "") ?? message ?? null) : null
    const [who, rest] = words.history.outcome[what](named(entry))
    return (
      <>
        <strong>{who}</strong>
        {rest}
        {said !== null && <span className="said"> {said}</span>}
      </>
    )
  }
  return (
    <>
      <ol className="history">
        {historyOf(post, logs, now).map((entry) => (
          <li key={entry.key} className={entry.what}>
            <time dateTime={entry.at}>{clock(entry.at, now, workspace.timezone)}</time>
            <span>{told(entry)}</span>
          </li>
        ))}
      </ol>
      {logs.size >= mostLogs && post.results.length > mostLogs && (
        <p className="note">{words.history.more(post.results.length - mostLogs)}</p>
      )}
    </>
  )
}
