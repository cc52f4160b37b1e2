import { NotFoundError, type Post } from "@carillon/sdk"
import { Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { Suspense, useEffect, useRef, useState } from "react"
import { workspace } from "./data/api.ts"
import { useOpenedPost } from "./data/posts.ts"
import { wallClock } from "./time/zone.ts"
import { PostGone } from "./post/PostGone.tsx"
import { isChangeable } from "./results/isChangeable.ts"
import { ErrorState } from "./ui/ErrorState.tsx"
import { later } from "./ui/later.ts"
import { Room } from "./ui/Room.tsx"
import { Skeleton } from "./ui/Skeleton.tsx"
import { toast } from "./ui/toast.ts"
import { Composer } from "./compose/Composer.tsx"
import { words } from "./compose/en.ts"
import { emptyForm, type Form, fromPost, sameForm } from "./compose/Form.ts"
import { forgetLocally, localDraftOf } from "./compose/LocalDraft.ts"
import { type Failure, failuresBefore, failuresOf, onBoards } from "./compose/repairs.ts"
import { accountsIn, composeSearch, type ComposeSearch, mediaIn } from "./compose/composeSearch.ts"
import { firstTime } from "./compose/times.ts"
import { type InitialDraft, savedPost } from "./compose/Draft.ts"

const zone = workspace.timezone

const ResultPage = later(() => import("./results/ResultPage.tsx"), "ResultPage")

/** The post is due later, and nothing of it has been sent. */
const isEditable = ({ results, scheduled_at, status }: Post) =>
  status === "draft" ||
  (status === "scheduled" &&
    scheduled_at !== null &&
    Date.parse(scheduled_at) > Date.now() &&
    results.every((result) => result.status === "waiting" && result.attempts === 0 && result.error === null))

const isWritten = ({ caption, media, ofAccounts, platforms }: Form) =>
  caption !== "" ||
  media.length > 0 ||
  Object.keys(platforms).length > 0 ||
  Object.keys(ofAccounts).length > 0

const newForm = (search: ComposeSearch, copied: Post | undefined, repairs: ReadonlyArray<Failure>): Form => ({
  ...(copied === undefined ? emptyForm : fromPost(copied, zone)),
  ...(search.accounts === undefined ? {} : { accounts: accountsIn(search) }),
  ...(search.media === undefined ? {} : { media: mediaIn(search) }),
  when:
    repairs.length > 0 && search.at === undefined
      ? { kind: "now" }
      : { kind: "at", value: firstTime(search.at, wallClock(new Date(), zone)) }
})

const beginNew = (search: ComposeSearch, copied: Post | undefined): InitialDraft => {
  const repairs =
    copied === undefined || search.repairs === undefined
      ? []
      : failuresOf(copied, search.repairs, accountsIn(search))
  const form = onBoards(newForm(search, copied, repairs), repairs)
  const kept = copied === undefined && search.media === undefined ? localDraftOf(null) : null
  if (kept === null || !(isWritten(kept.form) || kept.uploading > 0))
    return { form, stored: null, restored: null, lostFiles: 0, nextTry: null, repairs }
  return {
    form: { ...kept.form, ...(search.at === undefined ? {} : { when: form.when }) },
    stored: null,
    restored: kept.at,
    lostFiles: kept.uploading,
    nextTry: null,
    repairs
  }
}

/** When a post that is already due is retried. */
const nextTryOf = (post: Post) =>
  isEditable(post)
    ? null
    : (post.results.flatMap(({ next_attempt_at }) => next_attempt_at ?? []).toSorted()[0] ?? null)

const beginWith = (post: Post): InitialDraft => {
  const repairs = failuresBefore(post)
  const kept = localDraftOf(post.id)
  if (kept === null || kept.stored === null || sameForm(kept.form, kept.stored.form)) {
    const lostFiles = kept?.uploading ?? 0
    return {
      form: fromPost(post, zone),
      stored: savedPost(post, zone),
      restored: lostFiles > 0 ? kept!.at : null,
      lostFiles,
      nextTry: nextTryOf(post),
      repairs
    }
  }
  // Based on the version it was written over: if the post has changed since, saving asks which one to keep.
  return {
    form: kept.form,
    stored: kept.stored,
    restored: kept.at,
    lostFiles: kept.uploading,
    nextTry: nextTryOf(post),
    repairs
  }
}

const loading = (
  <Room>
    <Skeleton rows={4} height={96} />
  </Room>
)

interface SessionProps {
  readonly begin: () => InitialDraft
  readonly onMade: (id: string) => void
  readonly onAnew: () => void
  readonly onSent: () => void
}

const Session = ({ begin, onAnew, onMade, onSent }: SessionProps) => {
  const [begun] = useState(begin)
  const isTold = useRef(false)
  useEffect(() => {
    if (begun.restored === null || isTold.current) return
    isTold.current = true
    toast({
      icon: "check",
      text: words.restored(wallClock(new Date(begun.restored), zone).time, begun.lostFiles),
      action: {
        label: words.startAnew,
        act: () => {
          forgetLocally(begun.stored?.id ?? null)
          onAnew()
        }
      }
    })
  }, [begun, onAnew])
  return <Composer initial={begun} onMade={onMade} onSent={onSent} />
}

/** The composer for a new or editable post; the result page for any other. */
export const PostRoom = () => {
  const { id } = useParams({ strict: false })
  const given = useSearch({ strict: false })
  const search = composeSearch(given)
  const navigate = useNavigate()
  // The session that created a post continues at the post's own address.
  const [made, setMade] = useState<{ readonly ids: ReadonlyArray<string>; readonly key: string } | null>(null)
  const [turn, setTurn] = useState(0)
  const isOwn = id !== undefined && made?.ids.includes(id) === true
  const key = isOwn
    ? made!.key
    : `${turn} ${id ?? `new ${search.at} ${search.from} ${search.accounts} ${search.media} ${search.repairs}`}`
  const loads = id === undefined ? search.from : isOwn ? undefined : id
  const { data: post, error, isFetching, refetch } = useOpenedPost(loads, `${turn} ${given.edit === true}`)

  // The next new post starts a session of its own.
  const [wasOwn, setWasOwn] = useState(isOwn)
  if (wasOwn !== isOwn) {
    setWasOwn(isOwn)
    if (isOwn) setTurn(turn + 1)
    else setMade(null)
  }

  const onMade = (newId: string) => {
    // A post that somebody deleted is stored again under another id, in the same session.
    setMade((before) => ({ ids: [...(before?.key === key ? before.ids : []), newId], key }))
    void navigate({ to: "/posts/$id", params: { id: newId }, replace: true, ignoreBlocker: true })
  }
  const onAnew = () => setTurn((before) => before + 1)
  const onSent = () => {
    setMade(null)
    onAnew()
  }

  if (loads !== undefined && (post === undefined || (isFetching && post.id !== loads))) {
    if (error instanceof NotFoundError) return <PostGone />
    if (error !== null)
      return <ErrorState title={words.failedToLoad} error={error} onRetry={() => void refetch()} />
    return loading
  }
  const mended =
    id === undefined && search.repairs !== undefined
      ? post?.results.find((result) => result.id === search.repairs)
      : undefined
  const repair = mended?.open_repair ?? mended?.repaired_by
  // The repair has already been written.
  if (repair !== undefined) return <Navigate to="/posts/$id" params={{ id: repair.post_id }} replace />
  if (
    id !== undefined &&
    post !== undefined &&
    !isOwn &&
    !isEditable(post) &&
    !(given.edit === true && isChangeable(post))
  )
    return (
      <Suspense fallback={loading}>
        <ResultPage key={id} read={post} />
      </Suspense>
    )
  return (
    <Session
      key={key}
      begin={() => (id !== undefined && post !== undefined ? beginWith(post) : beginNew(search, post))}
      onMade={onMade}
      onAnew={onAnew}
      onSent={onSent}
    />
  )
}
