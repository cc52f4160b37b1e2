import { networkName } from "../data/networkName.ts"
import type { CalendarPost, Post } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"
import { useCallback, useEffect, useState } from "react"
import { reconnectPath } from "../post/reconnectPath.ts"
import type { CardAsks } from "../calendar/PostDialogs.tsx"
import { words as calendarWords } from "../post/en.ts"
import { PostAccounts } from "../post/PostAccounts.tsx"
import { stateOf } from "../post/PostState.ts"
import { repairPath } from "../post/editPath.ts"
import { resultWords } from "../post/resultWords.ts"
import { type ResultRow, resultRows, sentTo } from "../post/resultRows.ts"
import { StateSign } from "../post/StateSign.tsx"
import { reasonOf, stateWords } from "../post/stateWords.ts"
import { ThreadItems } from "../post/ThreadItems.tsx"
import { useMinute } from "../time/useMinute.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { AskToPublish } from "./AskToPublish.tsx"
import { callTool, tellModel } from "./bridge.ts"
import { words } from "./en.ts"
import type { Notice } from "./NoticeLine.tsx"
import { type Changed, noticeOf } from "./noticeOf.ts"

interface Props extends CardAsks {
  readonly row: CalendarPost
  readonly accounts: Accounts
  readonly zone: string
  readonly publicUrl: string
  readonly isMovable: boolean
  readonly onAct: (work: () => Promise<Notice>) => void
}

/** The accounts of a post, its results there, and what a person can do about them. */
export const PostCard = ({ accounts, isMovable, onAct, onMove, onRemove, publicUrl, row, zone }: Props) => {
  const state = stateOf(row)
  const [asksToPublish, setAsks] = useState(false)
  const room = `${publicUrl}/app/posts/${row.id}`
  const change = (name: string, sentence: string, text?: string) =>
    onAct(async () => {
      const { structuredContent } = await callTool(name, { post_id: row.id })
      const changed = structuredContent as unknown as Changed
      tellModel(`${sentence} ${changed.what_happened}`)
      return text === undefined || changed.approval !== undefined ? noticeOf(changed, zone) : { text }
    })
  return (
    <>
      {isMovable && row.blocked_by === undefined ? (
        <PostAccounts row={row} accounts={accounts} />
      ) : (
        <Results
          row={row}
          accounts={accounts}
          zone={zone}
          publicUrl={publicUrl}
          onRetry={(result, name) =>
            onAct(async () => {
              await callTool("retry_post", { post_id: row.id, account_ids: [result.social_account_id] })
              tellModel(`The user had the post ${row.id} sent again to ${name}.`)
              return { text: words.again }
            })
          }
        />
      )}
      {asksToPublish ? (
        <AskToPublish
          accounts={row.social_accounts.length}
          onNo={() => setAsks(false)}
          onYes={() => change("publish_post", `The user published the post ${row.id}.`, words.publishing)}
        />
      ) : (
        <div className="flex flex-wrap gap-2 *:not-data-square:grow">
          {state === "draft" && (
            <Button
              look="main"
              onPress={() => change("schedule_post", `The user scheduled the draft ${row.id}.`)}
            >
              {words.schedule}
            </Button>
          )}
          {(state === "draft" || state === "planned") && (
            <Button onPress={() => setAsks(true)}>{words.publish}</Button>
          )}
          {isMovable && (
            <Button onPress={onMove}>
              <Icon name="calendar" />
              {calendarWords.moveTo}
            </Button>
          )}
          <a
            className={buttonClass()}
            href={state === "approval" ? `${publicUrl}/approvals/${row.id}` : room}
          >
            {state === "approval"
              ? words.approve
              : state === "doubt"
                ? words.answer
                : isMovable
                  ? words.edit
                  : words.open}
            <Icon name="link" />
          </a>
          {isMovable && (
            <Button look="quiet" square aria-label={calendarWords.remove} onPress={onRemove}>
              <Icon name="trash" />
            </Button>
          )}
        </div>
      )}
    </>
  )
}

interface ResultsProps {
  readonly row: CalendarPost
  readonly accounts: Accounts
  readonly zone: string
  readonly publicUrl: string
  readonly onRetry: (result: ResultRow["result"], name: string) => void
}

/** The result of a post on each account. */
const Results = ({ accounts, onRetry, publicUrl, row, zone }: ResultsProps) => {
  const [post, setPost] = useState<Post>()
  const [failure, setFailure] = useState<string>()
  const now = useMinute()
  const read = useCallback(
    () =>
      void callTool("get_post", { post_id: row.id, detail: "full" }).then(
        ({ structuredContent }) => setPost(structuredContent as unknown as Post),
        ({ message }: Error) => setFailure(message)
      ),
    [row.id]
  )
  useEffect(read, [read])
  if (failure !== undefined)
    return (
      <>
        <p className="text-sm text-bad">{failure}</p>
        <Button
          onPress={() => {
            setFailure(undefined)
            read()
          }}
        >
          {words.tryAgain}
        </Button>
      </>
    )
  if (post === undefined) return <p className="text-sm text-soft">{words.reading}</p>
  return (
    <ul className="flex flex-col gap-3 text-sm text-ink">
      {resultRows(post.results, accounts, now).map((one) => {
        const { act, result, state } = one
        const account = accounts.get(result.social_account_id)
        const network = networkName(account ?? result)
        const name = account?.name ?? ""
        const { sentence } = reasonOf(one, account, network)
        const sent = sentTo(post, result)
        const link = result.repaired_by ?? (state === "live" ? result.platform_data : null)
        return (
          <li key={result.id} className="flex items-start gap-2" data-state={state}>
            {account && <Avatar account={account} size={28} />}
            <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
              <strong>{name}</strong> <small className="text-soft">{network}</small>
              <p className="flex items-center gap-1">
                <StateSign state={state} /> {stateWords(one, undefined, name, now, zone)}
              </p>
              {result.items !== undefined && (
                <ThreadItems
                  items={result.items}
                  sent={[sent, ...sent.thread].map(({ caption }) => caption)}
                />
              )}
              {sentence !== null && <p>{sentence}</p>}
              <div className="flex flex-wrap gap-2 empty:hidden">
                {act === "reconnect" && (
                  <a
                    className={buttonClass()}
                    href={`${publicUrl}/app${reconnectPath(result.social_account_id)}`}
                  >
                    {resultWords.act.reconnect(name)}
                  </a>
                )}
                {act === "edit" && (
                  <a
                    className={buttonClass()}
                    href={`${publicUrl}/app${repairPath(row.id, result.id, [result.social_account_id])}`}
                  >
                    {resultWords.act.edit}
                  </a>
                )}
                {act === "repair" && (
                  <a className={buttonClass()} href={`${publicUrl}/app/posts/${result.open_repair!.post_id}`}>
                    {resultWords.act.repair}
                  </a>
                )}
                {["again", "edit", "copy"].includes(act) && (
                  <Button onPress={() => onRetry(result, `${network} ${name}`)}>
                    <Icon name="refresh" />
                    {state === "broken" ? resultWords.act.goOn : resultWords.act.again}
                    <span className="unseen">
                      {" "}
                      {network} {name}
                    </span>
                  </Button>
                )}
              </div>
              {link?.url && (
                <a href={link.url}>
                  {resultWords.open}
                  <span className="unseen"> {resultWords.openOn(network, name)}</span>
                </a>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
