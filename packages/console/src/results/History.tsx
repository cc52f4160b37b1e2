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

const dots: Readonly<Record<HistoryEntry["what"], string>> = {
  published: "bg-good",
  failed: "bg-bad",
  unconfirmed: "bg-doubt",
  waiting: "bg-wait",
  publishing: "bg-wait",
  due: "bg-brand",
  made: "bg-edge",
  asked: "bg-edge",
  approved: "bg-edge",
  refused: "bg-edge"
}

export const History = ({ accounts, logs, now, post }: Props) => {
  const told = (entry: HistoryEntry) => {
    const { at, by = null, message, what } = entry
    if (what === "made") return words.history.made(post.created_by?.name ?? null)
    if (what === "asked" || what === "approved" || what === "refused") return words.history.approval[what](by)
    if (what === "due") return words.history.planned(formatMoment(at, now, workspace.timezone))
    const account = accounts.get(entry.account!)
    const network = networkName(account ?? { platform: entry.platform! })
    const said = what === "failed" ? (saidBy(message ?? "") ?? message ?? null) : null
    return (
      <>
        <strong>{account?.name ?? network}</strong>
        {account !== undefined && <span className="text-soft"> {network}</span>}
        {words.history.outcome[what]}
        {said !== null && <span className="text-soft"> {said}</span>}
      </>
    )
  }
  const more = post.results.length - mostLogs
  return (
    <>
      <ol className="ms-1 flex flex-col gap-2 border-s border-line">
        {historyOf(post, logs, now).map((entry) => (
          <li key={entry.key} className="flex items-baseline gap-3 text-sm">
            <span className={`-ms-1 size-2 flex-none rounded-full ${dots[entry.what]}`} />
            <time dateTime={entry.at} className="flex-none text-soft">
              {clock(entry.at, now, workspace.timezone)}
            </time>
            <span className="min-w-0">{told(entry)}</span>
          </li>
        ))}
      </ol>
      {logs.size >= mostLogs && more > 0 && (
        <p className="pt-3 text-xs text-soft">{words.history.more(more)}</p>
      )}
    </>
  )
}
