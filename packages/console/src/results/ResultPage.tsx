import { NotFoundError, type Post } from "@carillon/sdk"
import { Link, useCanGoBack, useRouter } from "@tanstack/react-router"
import { useEffect, useMemo, useRef, useState } from "react"
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs"
import { type Accounts, accountsChanged, useAccountList } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { placeOf } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { networkName } from "../data/networkName.ts"
import { PageName } from "../ui/PageName.tsx"
import { RoomAnchor } from "../ui/RoomAnchor.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { useAnswering } from "../post/useAnswering.tsx"
import { isEditOffered } from "./isChangeable.ts"
import { datedAt } from "../post/datedAt.ts"
import { editPath, duplicatePath } from "../post/editPath.ts"
import { resultWords as words } from "../post/resultWords.ts"
import { History } from "./History.tsx"
import { formatMoment } from "../post/formatMoment.ts"
import { PostFacts } from "./PostFacts.tsx"
import { ResultLine } from "./ResultLine.tsx"
import { HeldNote } from "../post/HeldNote.tsx"
import { inOrder, type ResultRow, resultRows, sentTo, stageOf, titleOf } from "../post/resultRows.ts"
import { stateWords } from "../post/stateWords.ts"
import { useAnswers } from "../post/useAnswers.ts"
import { useMedia } from "../data/media.ts"
import { postsChanged, useLogs, usePost } from "../data/posts.ts"
import { useNow } from "../time/useNow.ts"
import { Picture, WhatWasSent } from "./WhatWasSent.tsx"
import "../styles/columns.css"
import "./ResultPage.css"

const noAccounts: Accounts = new Map()

const filesSent = (post: Post, result: Post["results"][number]) => {
  const { media, thread } = sentTo(post, result)
  return [...media, ...thread.flatMap((item) => item.media)]
}

const textsSent = (post: Post, result: Post["results"][number]) => {
  const { caption, thread } = sentTo(post, result)
  return [caption, ...thread.map((item) => item.caption)]
}

/** The most important state of a post, as a chip. */
const summaryOf = (
  rows: ReadonlyArray<ResultRow>
): readonly [state: string, icon: IconName, text: string] => {
  const count = (...states: ReadonlyArray<ResultRow["state"]>) =>
    rows.filter(({ state }) => states.includes(state)).length
  const failed = count("failed")
  const doubt = count("doubt")
  if (failed > 0) return ["failed", "cross", words.summary.failed(failed, rows.length)]
  if (count("broken") > 0) return ["failed", "cross", words.summary.broken]
  const rejected = count("rejected")
  if (rejected > 0) return ["failed", "cross", words.summary.rejected(rejected, rows.length)]
  if (doubt > 0) return ["doubt", "question", words.summary.doubt(doubt)]
  if (count("going") > 0) return ["going", "bell", words.summary.going]
  if (count("blocked") > 0) return ["blocked", "warning", words.summary.blocked]
  const repaired = count("repaired")
  if (repaired > 0 && repaired + count("live") === rows.length)
    return ["live", "check", words.summary.repaired(repaired, rows.length)]
  if (count("live") === rows.length) return ["live", "check", words.summary.live(rows.length)]
  if (count("waiting") > 0) return ["planned", "clock", words.summary.waiting]
  return ["planned", "clock", words.summary.planned]
}

const whenOf = (post: Post, rows: ReadonlyArray<ResultRow>, now: number) => {
  const stage = stageOf(post, rows, now)
  if (stage === "draft") return words.when.draft
  // One account may be live while the post is still scheduled for others.
  const at = stage === "sent" ? datedAt(post) : datedAt({ ...post, published_at: null })
  return words.when[stage](formatMoment(at, now, workspace.timezone))
}

/** Announces each change of a row to screen readers. */
const useSaid = (rows: ReadonlyArray<ResultRow>, accounts: Accounts, now: number) => {
  const [said, setSaid] = useState("")
  const [seen, setSeen] = useState(rows)
  if (seen !== rows) {
    setSeen(rows)
    const before = new Map(seen.map(({ result, state }) => [result.id, state]))
    const changed = rows.filter(({ result, state }) => (before.get(result.id) ?? state) !== state)
    if (changed.length > 0)
      setSaid(
        changed
          .map((row) => {
            const account = accounts.get(row.result.social_account_id)
            const name = account?.name ?? ""
            return words.said(
              networkName(account ?? row.result),
              name,
              stateWords(row, undefined, name, now, workspace.timezone)
            )
          })
          .join(". ")
      )
  }
  return said
}

/** Keeps the rows in place while the page is open. */
const useSteadyOrder = (rows: ReadonlyArray<ResultRow>) => {
  const [order, setOrder] = useState<ReadonlyArray<string>>([])
  const ordered = inOrder(rows, order)
  const ids = ordered.map(({ result }) => result.id)
  if (ids.join() !== order.join()) setOrder(ids)
  return ordered
}

interface Props {
  readonly id: string
  /** The post, if it has just been read. */
  readonly read?: Post
}

/** What became of a post that can no longer be changed. */
export const ResultPage = ({ id, read }: Props) => {
  const { data: post, error, refetch } = usePost(id, read)
  const accounts = useAccountList()
  if (error instanceof NotFoundError)
    return (
      <>
        <h1 className="unseen">
          <PageName />
        </h1>
        <EmptyState title={words.gone.title} text={words.gone.text}>
          <Link className="button" to="/">
            {words.gone.back}
          </Link>
        </EmptyState>
      </>
    )
  if (post === undefined && error !== null)
    return <ErrorState title={words.failedToLoad} error={error} onRetry={() => void refetch()} />
  if (post === undefined || accounts.isPending)
    return (
      <div className="result-page">
        <Skeleton rows={4} height={84} />
      </div>
    )
  return <Loaded key={id} post={post} accounts={accounts.data ?? noAccounts} />
}

const Loaded = ({ accounts, post }: { readonly post: Post; readonly accounts: Accounts }) => {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const rooms = { compose: "/compose" in router.routesByPath, accounts: "/accounts" in router.routesByPath }
  const [moving, setMoving] = useState(false)
  const now = useNow(moving)
  const rows = useMemo(() => resultRows(post.results, accounts, now), [post.results, accounts, now])
  const ordered = useSteadyOrder(rows)
  const going = rows.some(({ state }) => state === "going" || state === "planned")
  if (moving !== going) setMoving(going)
  useEffect(() => {
    // A repair that has gone out may have settled a failure.
    if (!going && post.repairs !== undefined) void postsChanged()
  }, [going, post.repairs])
  // The post is first to report that an account lost its access, or has it back.
  const blockedBy = useRef<number | null>(null)
  useEffect(() => {
    if (blockedBy.current !== post.blocked_by) void accountsChanged()
    blockedBy.current = post.blocked_by
  }, [post.blocked_by])
  const logs = useLogs(post.results)
  const answers = useAnswers()
  const { ask, dialog } = useAnswering(answers)
  const said = useSaid(rows, accounts, now)

  const files = useMemo(
    () => [...new Set([...post.media, ...post.results.flatMap((result) => filesSent(post, result))])],
    [post]
  )
  const media = useMedia(files)
  const [tab, setTab] = useState("history")
  const sentTab = useRef<HTMLDivElement>(null)

  const zone = workspace.timezone
  const [state, icon, summary] = summaryOf(rows)
  const retryable = rows.filter(({ act }) => act === "again")
  const first = ordered.find(({ act }) => ["reconnect", "edit", "rewrite", "again", "repair"].includes(act))
    ?.result.id

  return (
    <div className="result-page">
      <div className="bar">
        <Link
          className="button quiet square"
          to="/"
          aria-label={words.back}
          onClick={(event) => {
            if (!canGoBack) return
            event.preventDefault()
            router.history.back()
          }}
        >
          <Icon name="left" />
        </Link>
        {files.length > 0 && <Picture media={media.get(files[0]!)} />}
        <div className="title">
          <h1>{titleOf(post.caption) || words.untitled}</h1>
          <p>
            <span className={`chip ${state}`}>
              <span className={state === "going" ? "sign swings" : "sign"} aria-hidden="true">
                <Icon name={icon} />
              </span>
              {summary}
            </span>
            <span>
              {whenOf(post, rows, now)} · {words.zone(placeOf(zone))}
              {post.created_by?.name != null && ` · ${words.by(post.created_by.name)}`}
            </span>
          </p>
        </div>
        <div className="filters">
          {retryable.length > 1 && (
            <Button
              isPending={answers.busy === post.id}
              onPress={() => void answers.retry([post.id], post.id)}
            >
              <Icon name="refresh" />
              {words.act.retryFailed(
                rows.filter(({ act, state: one }) => one === "failed" && act !== "repair").length
              )}
            </Button>
          )}
          {rows.some(({ state: one }) => one === "waiting") && isEditOffered(post, now) && (
            <Button isPending={answers.busy === post.id} onPress={() => void answers.stop(post)}>
              <Icon name="cross" />
              {words.act.stop}
            </Button>
          )}
          {rooms.compose && isEditOffered(post, now) && (
            <RoomAnchor className="button" to={editPath(post.id)}>
              <Icon name="pencil" />
              {words.edit}
            </RoomAnchor>
          )}
          {rooms.compose && (
            <RoomAnchor className="button" to={duplicatePath(post.id)}>
              <Icon name="copy" />
              {words.act.duplicate}
            </RoomAnchor>
          )}
        </div>
      </div>
      {post.approval?.status === "waiting" && <HeldNote post={{ ...post, approval: post.approval }} />}
      <div className="columns">
        <div className="wide">
          <ul className="card results" aria-busy={rows.some((row) => row.state === "going")}>
            {ordered.map((row) => (
              <ResultLine
                key={row.result.id}
                row={row}
                account={accounts.get(row.result.social_account_id)}
                log={logs.get(row.result.id)}
                sent={textsSent(post, row.result)}
                now={now}
                busy={answers.busy === row.result.id}
                first={row.result.id === first}
                rooms={rooms}
                onAsk={ask}
                onRetry={() => void answers.retry([post.id], row.result.id, [row.result.social_account_id])}
              />
            ))}
          </ul>
          <Tabs className="card tabs" selectedKey={tab} onSelectionChange={(key) => setTab(String(key))}>
            <TabList className="tab-list" aria-label={titleOf(post.caption) || words.untitled}>
              <Tab id="history" className="tab">
                {words.tabs.history}
              </Tab>
              <Tab ref={sentTab} id="sent" className="tab">
                {words.tabs.sent}
              </Tab>
            </TabList>
            <TabPanel id="history" className="tab-panel">
              <History post={post} logs={logs} accounts={accounts} now={now} />
            </TabPanel>
            <TabPanel id="sent" className="tab-panel">
              <WhatWasSent post={post} media={media} accounts={accounts} />
            </TabPanel>
          </Tabs>
        </div>
        <PostFacts
          post={post}
          media={media}
          files={files}
          accounts={accounts}
          now={now}
          onCompare={() => {
            setTab("sent")
            sentTab.current?.focus()
          }}
        />
      </div>
      <div role="status" className="unseen">
        {said}
      </div>
      {dialog}
    </div>
  )
}
