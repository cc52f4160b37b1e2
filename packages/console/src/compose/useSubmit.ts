import { ConflictError, ConnectionError, type Post, type ProblemItem } from "@carillon/sdk"
import { useBlocker, useNavigate } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react"
import { carillon } from "../data/api.ts"
import { postsChanged } from "../data/posts.ts"
import { queueChanged } from "../data/queue.ts"
import { act } from "../data/useAct.ts"
import { toast } from "../ui/toast.ts"
import { type Draft, type Intent, isDraft as isADraft, isSaved } from "./Draft.ts"
import { words } from "./en.ts"
import { refusedItems } from "./refusedItems.ts"
import { shownTime } from "./times.ts"
import type { DraftStore } from "./useDraft.ts"
import { inZone } from "./zoned.ts"

interface Submit {
  readonly draft: Draft
  readonly store: DraftStore
  /** It waits for a decision, which sending would take. */
  readonly isHeld: boolean
  /** Its time has come: what is saved goes out at once. */
  readonly isDue: boolean
  readonly isWritten: boolean
  /** How many files are still on their way. */
  readonly uploading: number
  /** What the rules find in this browser. */
  readonly findHere: () => ReadonlyArray<ProblemItem>
  /** It cannot go out as it is: what the service found, if it was asked. */
  readonly onRefused: (found?: ReadonlyArray<ProblemItem>) => void
  /** Writing is over. */
  readonly onSent: () => void
}

/** What becomes of a post that is written: it is sent, kept as a draft, deleted or left. */
export const useSubmit = ({
  draft,
  findHere,
  isDue,
  isHeld,
  isWritten,
  onRefused,
  onSent,
  store,
  uploading
}: Submit) => {
  const navigate = useNavigate()
  const { form, status, stored } = draft
  const isDraft = isADraft(draft)
  const [running, setRunning] = useState<Intent | null>(null)
  const isLeaving = useRef(false)
  const latest = useRef((_: Intent) => {})
  /** Whether the last save was to keep a draft and leave it: then so is its next try. */
  const savesFor = useRef<"keep" | "stay">("stay")

  const leave = (id?: string) => {
    isLeaving.current = true
    onSent()
    void queueChanged()
    return id === undefined
      ? navigate({ to: "/", ignoreBlocker: true })
      : navigate({ to: "/posts/$id", params: { id }, ignoreBlocker: true })
  }

  const onScheduled = (post: Post) => {
    const at = shownTime(inZone(post.scheduled_at ?? post.created_at))
    return act({
      do: () => Promise.resolve(post),
      done: form.when.kind === "queue" ? words.sent.queued(at) : words.sent.scheduled(at),
      undo: () => ({
        do: () => carillon.posts.update(post.id, { is_draft: true }, { ifMatch: post }),
        done: words.sent.undone,
        failed: words.sent.notUndone,
        changed: postsChanged
      }),
      failed: ""
    })
  }

  const onSuccess = async (post: Post) => {
    if (form.when.kind !== "now") {
      if (!isDraft) toast({ icon: "check", text: words.sent.saved })
      else if (!isDue) await onScheduled(post)
    }
    return form.when.kind === "now" || isDue ? leave(post.id) : leave()
  }

  const onError = (error: unknown, retry: () => void) => {
    const found = refusedItems(error)
    if (found.length > 0) onRefused(found)
    else if (error instanceof ConnectionError)
      toast({
        icon: "offline",
        text: words.failed.offline,
        action: { label: words.failed.retry, act: retry }
      })
    else if (error instanceof ConflictError && error.code === "post_not_editable") {
      toast({ icon: "cross", text: words.failed.underway })
      void leave(stored!.id)
    } else if (error instanceof ConflictError && error.code !== "stale_version")
      toast({ icon: "cross", text: error.message })
  }

  const run = async (intent: Intent, onDone: (post: Post | null) => unknown) => {
    if (running !== null) return
    setRunning(intent)
    try {
      await onDone(await store.ask(intent))
    } catch (error) {
      onError(error, () => latest.current(intent))
    } finally {
      setRunning(null)
    }
  }

  const send = () => {
    if (isHeld) return
    if (uploading > 0) return void toast({ icon: "upload", text: words.stillUploading(uploading) })
    return findHere().length > 0 ? onRefused() : run("send", (post) => onSuccess(post!))
  }

  const keepDraft = () => {
    if (form.accounts.length === 0) return onRefused()
    savesFor.current = "keep"
    return run(isDraft ? "save" : "unschedule", () => {
      store.end()
      toast({ icon: "check", text: isDraft ? words.sent.kept : words.sent.undone })
      return leave()
    })
  }

  const save = () => {
    if (!isDraft) return send()
    if (form.accounts.length === 0) return onRefused()
    savesFor.current = "stay"
    return store.ask("save").catch((error) => onError(error, () => latest.current("save")))
  }

  const remove = () =>
    run("delete", () => {
      store.end()
      toast({ icon: "check", text: words.removed })
      return leave()
    })

  /** Stores what conflicts with another change as a post of its own. */
  const storeNew = () => run("copy", (post) => leave(post!.id))

  const does: Record<Intent, () => unknown> = {
    save: () => (savesFor.current === "keep" ? keepDraft() : save()),
    send,
    unschedule: keepDraft,
    delete: remove,
    copy: storeNew
  }
  // What is tried again is tried with the post as it is then.
  useLayoutEffect(() => {
    latest.current = (intent) => void does[intent]()
  })

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
    if (document.querySelector(".veil") !== null) return
    if (event.key === "Enter") void send()
    else if (event.key === "s") void save()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [])

  const hasUnsaved = stored === null ? draft.isEdited && isWritten : !isSaved(draft)
  const blocker = useBlocker({
    withResolver: true,
    // What is written is kept in this browser: a reload or a closed tab loses nothing.
    enableBeforeUnload: false,
    shouldBlockFn: ({ next }) => {
      if (isLeaving.current || !hasUnsaved) return false
      if (stored !== null && next.pathname.endsWith(`/posts/${stored.id}`)) return false
      if (!isDraft || form.accounts.length === 0) return true
      // A draft saves itself: it needs no question.
      store.ask("save").then(postsChanged, (error) => onError(error, () => {}))
      return false
    }
  })

  return {
    blocker,
    isSending: running !== null && running !== "delete" && running !== "copy",
    keepDraft,
    /** Leaves a post about which a person has decided. */
    leave: () => {
      store.end()
      void leave()
    },
    remove,
    send,
    storeNew,
    /** Keeps what is written here in a conflict, and goes on with what was begun. */
    keepMine: () => {
      if (status.is !== "conflict") return
      store.resolve("mine")
      latest.current(status.intent)
    }
  }
}
