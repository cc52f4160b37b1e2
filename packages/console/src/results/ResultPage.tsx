import { NotFoundError, type Post } from "@carillon/sdk"
import { useCanGoBack, useNavigate, useRouter } from "@tanstack/react-router"
import { useEffect, useMemo, useRef, useState } from "react"
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs"
import { type Accounts, accountsChanged, useAccountList } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { useMedia } from "../data/media.ts"
import { networkName } from "../data/networkName.ts"
import { postsChanged, useLogs, usePost } from "../data/posts.ts"
import { datedAt } from "../post/datedAt.ts"
import { duplicatePath, editPath } from "../post/editPath.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { ClientAnswers } from "../post/ClientAnswers.tsx"
import { HeldNote } from "../post/HeldNote.tsx"
import { PostGone } from "../post/PostGone.tsx"
import {
  inOrder,
  type ResultRow,
  resultRows,
  type RowState,
  sentTo,
  stageOf,
  titleOf
} from "../post/resultRows.ts"
import { resultWords as words } from "../post/resultWords.ts"
import { stateColors } from "../post/stateColors.ts"
import { StateSign } from "../post/StateSign.tsx"
import { stateWords } from "../post/stateWords.ts"
import { useAnswering } from "../post/useAnswering.tsx"
import { useAnswers } from "../post/useAnswers.ts"
import { useNow } from "../time/useNow.ts"
import { placeOf } from "../time/zone.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Columns } from "../ui/Columns.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Room } from "../ui/Room.tsx"
import { RoomAnchor } from "../ui/RoomAnchor.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { tabClass } from "../ui/tabClass.ts"
import { History } from "./History.tsx"
import { isEditOffered } from "./isChangeable.ts"
import { PostFacts } from "./PostFacts.tsx"
import { ResultLine } from "./ResultLine.tsx"
import { WhatWasSent } from "./WhatWasSent.tsx"

const noAccounts: Accounts = new Map()

const filesSent = (post: Post, result: Post["results"][number]) => {
  const { media, thread } = sentTo(post, result)
  return [...media, ...thread.flatMap((item) => item.media)]
}

const textsSent = (post: Post, result: Post["results"][number]) => {
  const { caption, thread } = sentTo(post, result)
  return [caption, ...thread.map((item) => item.caption)]
}

/** A post has the first of these that one of its accounts has. */
const byWeight = [
  "failed",
  "broken",
  "rejected",
  "doubt",
  "going",
  "blocked",
  "waiting",
  "planned",
  "repaired",
  "live"
] as const

const summaryOf = (rows: ReadonlyArray<ResultRow>): readonly [RowState, string] => {
  const count = (wanted: RowState) => rows.filter(({ state }) => state === wanted).length
  const state = byWeight.find((one) => count(one) > 0) ?? "planned"
  return [state, words.summary[state](count(state), rows.length)]
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

/** What became of a post that can no longer be changed. */
export const ResultPage = ({ read }: { readonly read: Post }) => {
  const { data: post = read, error } = usePost(read.id, read)
  const accounts = useAccountList()
  if (error instanceof NotFoundError) return <PostGone />
  return accounts.isPending ? (
    <Room title={<Title post={post} />}>
      <Skeleton rows={4} height={64} />
    </Room>
  ) : (
    <Loaded post={post} accounts={accounts.data ?? noAccounts} />
  )
}

const Title = ({ post: { caption } }: { readonly post: Post }) => (
  <span className="line-clamp-1 max-sm:line-clamp-3 max-sm:text-lg">
    {titleOf(caption) || words.untitled}
  </span>
)

const Back = () => {
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  const navigate = useNavigate()
  return (
    <Button
      square
      look="quiet"
      aria-label={words.back}
      onPress={() => (canGoBack ? history.back() : void navigate({ to: "/" }))}
    >
      <Icon name="left" />
    </Button>
  )
}

const Loaded = ({ accounts, post }: { readonly post: Post; readonly accounts: Accounts }) => {
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

  const [state, summary] = summaryOf(rows)
  const retryable = rows.filter(({ act }) => act === "again")
  const first = ordered.find(({ act }) => ["reconnect", "edit", "rewrite", "again", "repair"].includes(act))
    ?.result.id

  const isOffered = isEditOffered(post, now)

  return (
    <Room
      before={<Back />}
      title={<Title post={post} />}
      beside={
        <Actions>
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
          {isOffered && rows.some(({ state: one }) => one === "waiting") && (
            <Button isPending={answers.busy === post.id} onPress={() => void answers.stop(post)}>
              <Icon name="cross" />
              {words.act.stop}
            </Button>
          )}
          {isOffered && (
            <RoomAnchor className={buttonClass()} to={editPath(post.id)}>
              <Icon name="pencil" />
              {words.edit}
            </RoomAnchor>
          )}
          <RoomAnchor className={buttonClass()} to={duplicatePath(post.id)}>
            <Icon name="copy" />
            {words.act.duplicate}
          </RoomAnchor>
        </Actions>
      }
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-4 text-sm text-soft max-sm:px-4">
        <strong className={`flex items-center gap-1 ${stateColors[state]}`}>
          <StateSign state={state} />
          {summary}
        </strong>
        {whenOf(post, rows, now)} · {words.zone(placeOf(workspace.timezone))}
        {post.created_by?.name != null && ` · ${words.by(post.created_by.name)}`}
      </div>
      {post.approval?.status === "waiting" && (
        <div className="pb-4">
          <HeldNote post={{ ...post, approval: post.approval }} />
        </div>
      )}
      <div className="pb-4 empty:hidden">
        <ClientAnswers postId={post.id} version={undefined} />
      </div>
      <Columns
        side={
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
        }
      >
        <Card label={words.results}>
          <ul className="divide-y divide-hair" aria-busy={rows.some((row) => row.state === "going")}>
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
                onAsk={ask}
                onRetry={() => void answers.retry([post.id], row.result.id, [row.result.social_account_id])}
              />
            ))}
          </ul>
        </Card>
        <Card label={words.more}>
          <Tabs selectedKey={tab} onSelectionChange={(key) => setTab(String(key))}>
            <TabList className="flex gap-4 border-b border-hair px-4" aria-label={words.more}>
              <Tab id="history" className={tabClass}>
                {words.tabs.history}
              </Tab>
              <Tab ref={sentTab} id="sent" className={tabClass}>
                {words.tabs.sent}
              </Tab>
            </TabList>
            <TabPanel id="history" className={panel}>
              <History post={post} logs={logs} accounts={accounts} now={now} />
            </TabPanel>
            <TabPanel id="sent" className={panel}>
              <WhatWasSent post={post} media={media} accounts={accounts} />
            </TabPanel>
          </Tabs>
        </Card>
      </Columns>
      <div role="status" className="unseen">
        {said}
      </div>
      {dialog}
    </Room>
  )
}

const panel = "px-4 py-3 -outline-offset-2"
