import { platformName } from "@carillon/domain/PlatformFacts"
import { useCallback, useEffect, useRef, useState } from "react"
import { formatMoment } from "../post/formatMoment.ts"
import { Preview } from "../preview/Preview.tsx"
import { useNow } from "../time/useNow.ts"
import { placeOf } from "../time/zone.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Columns } from "../ui/Columns.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Remark } from "../ui/Remark.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { AnswerForm } from "./AnswerForm.tsx"
import { words } from "./en.ts"
import { readPost, Refused, type ReviewedPost, type Said } from "./reviewedPost.ts"

const whenOf = ({ is_open, scheduled_at, timezone }: ReviewedPost, now: number) => {
  if (!is_open) return words.when.out
  return scheduled_at === null
    ? words.when.none
    : words.when.scheduled(formatMoment(scheduled_at, now, timezone), placeOf(timezone))
}

/** The post of a link as its networks will show it, and what the client thinks of it. */
export const ReviewPage = () => {
  const [post, setPost] = useState<ReviewedPost>()
  const [failure, setFailure] = useState<"dead" | "failed">()
  const [changed, setChanged] = useState(false)
  const now = useNow(false)
  const seen = useRef<string>(undefined)

  const show = useCallback((read: ReviewedPost, isOwn = false) => {
    setChanged(
      (before) => !isOwn && (before || (seen.current !== undefined && seen.current !== read.version))
    )
    seen.current = read.version
    setFailure(undefined)
    setPost(read)
  }, [])
  const fail = useCallback((error: unknown) => {
    const isDead = error instanceof Refused && error.code === "review_link_invalid"
    setFailure(isDead ? "dead" : "failed")
  }, [])
  const read = useCallback(() => readPost().then((one) => show(one), fail), [show, fail])

  useEffect(() => {
    void read()
    // What changed while the client was elsewhere is shown before they answer.
    const look = () => document.visibilityState === "visible" && void read()
    document.addEventListener("visibilitychange", look)
    return () => document.removeEventListener("visibilitychange", look)
  }, [read])

  if (failure === "dead")
    return (
      <main className={page}>
        <h1>{words.dead.title}</h1>
        <p className="max-w-text">{words.dead.text}</p>
      </main>
    )
  if (post === undefined)
    return (
      <main className={page} aria-busy={failure === undefined}>
        <h1>{words.title}</h1>
        {failure === undefined ? (
          <>
            <p className="unseen">{words.loading}</p>
            <Skeleton rows={3} height={160} />
          </>
        ) : (
          <div className="flex flex-col items-start gap-4">
            <Remark tone="bad" icon="offline" role="alert">
              {words.failed}
            </Remark>
            <Button onPress={() => void read()}>{words.again}</Button>
          </div>
        )}
      </main>
    )
  return (
    <main className={page}>
      <header className="flex flex-col gap-1 max-sm:px-4">
        <h1>{words.title}</h1>
        <p className="text-soft">
          {post.is_open && `${words.asks(post.workspace)} `}
          {whenOf(post, now)}
        </p>
      </header>
      {changed && (
        <Remark tone="bad" icon="refresh" role="alert">
          {words.changed}
        </Remark>
      )}
      <Columns
        side={
          <>
            {post.is_open && (
              <AnswerForm post={post} onSent={(one) => show(one, true)} onFailed={fail} onStale={read} />
            )}
            {post.reviews.length > 0 && <WhatWasSaid post={post} now={now} />}
          </>
        }
      >
        <Previews post={post} />
      </Columns>
    </main>
  )
}

const page = "mx-auto flex max-w-welcome flex-col gap-4 p-6 max-sm:px-0 max-sm:py-4"

const Previews = ({ post }: { readonly post: ReviewedPost }) => {
  const items = new Map(post.media.map((item) => [item.id, item]))
  return (
    <section className="grid grid-cols-cards gap-6 max-sm:px-4" aria-label={words.posts}>
      {post.previews.map((preview, index) => {
        const found = post.accounts[index]!
        const account = { ...found, name: `@${found.username}` }
        return (
          <section key={account.id} className="flex min-w-0 flex-col gap-2">
            <h2 className="flex items-center gap-2 text-sm">
              <Avatar account={account} size={28} />
              {account.name} <small className="font-normal text-soft">{platformName(account.platform)}</small>
            </h2>
            <Preview {...preview} account={account} items={items} boards={[]} />
          </section>
        )
      })}
    </section>
  )
}

const sign = {
  yes: ["check", words.saidYes],
  no: ["cross", words.saidNo]
} as const

const Answer = ({ answer }: Pick<Said, "answer">) => {
  if (answer === null) return null
  const [icon, text] = sign[answer]
  return (
    <span
      className="inline-flex items-center gap-1 font-semibold text-good data-no:text-bad"
      data-no={answer === "no" || undefined}
    >
      <Icon name={icon} />
      {text}
    </span>
  )
}

interface SaidProps {
  readonly post: ReviewedPost
  readonly now: number
}

const WhatWasSaid = ({ now, post: { reviews, timezone, version } }: SaidProps) => (
  <Card title={words.said}>
    <ul className="divide-y divide-hair">
      {reviews.map((one) => (
        <li key={one.created_at} className="flex flex-col gap-1 px-4 py-3 text-sm">
          <p className="flex flex-wrap items-center gap-x-2">
            <strong className="min-w-0 wrap-anywhere">{one.name}</strong>
            <Answer answer={one.answer} />
            <small className="text-soft">
              {formatMoment(one.created_at, now, timezone)}
              {one.version !== version && `, ${words.earlier}`}
            </small>
          </p>
          {one.comment !== null && (
            <p dir="auto" className="whitespace-pre-line">
              {one.comment}
            </p>
          )}
        </li>
      ))}
    </ul>
  </Card>
)
