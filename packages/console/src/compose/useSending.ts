import {
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  type Post,
  type ProblemItem
} from "@carillon/sdk"
import { useBlocker, useNavigate } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { carillon } from "../data/api.ts"
import { postsChanged } from "../data/posts.ts"
import { queueChanged } from "../data/queue.ts"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { shownTime } from "./times.ts"
import type { useSession } from "./useSession.ts"
import { inZone } from "./zoned.ts"

interface Sending {
  readonly session: ReturnType<typeof useSession>
  readonly isDraft: boolean
  /** Its time has come: what is saved goes out at once. */
  readonly isDue: boolean
  readonly isWritten: boolean
  /** How many files are still on their way. */
  readonly uploading: number
  readonly askAgain: () => Promise<ReadonlyArray<ProblemItem>>
  /** It cannot go out as it is. */
  readonly onRefused: () => void
  /** It is no longer to be written. */
  readonly onSent: () => void
}

/** What becomes of a post that is written: it is sent, kept as a draft, deleted or left. */
export const useSending = ({
  askAgain,
  isDraft,
  isDue,
  isWritten,
  onRefused,
  onSent,
  session,
  uploading
}: Sending) => {
  const navigate = useNavigate()
  const { form, isSaved, stored } = session
  const [isSending, setSending] = useState(false)
  const leave = useRef(false)
  const depart = (to: "/" | "/posts/$id", id?: string) => {
    leave.current = true
    onSent()
    void queueChanged()
    return to === "/"
      ? navigate({ to: "/", ignoreBlocker: true })
      : navigate({ to: "/posts/$id", params: { id: id! }, ignoreBlocker: true })
  }

  const undo = async (post: Post) => {
    try {
      await carillon.posts.update(post.id, { is_draft: true }, { ifMatch: post })
      toast({ icon: "check", text: words.sent.undone })
    } catch (error) {
      toast({
        icon: "cross",
        text: words.sent.notUndone(error instanceof Error ? error.message : String(error))
      })
    }
    void postsChanged()
  }

  const told = (post: Post) => {
    if (form.when.kind === "now") return depart("/posts/$id", post.id)
    const isPlanned = stored !== null && !stored.draft
    if (isPlanned) toast({ icon: "check", text: words.sent.saved })
    if (isDue) return depart("/posts/$id", post.id)
    if (!isPlanned) {
      const at = shownTime(inZone(post.scheduled_at ?? post.created_at))
      toast({
        icon: "check",
        text: form.when.kind === "queue" ? words.sent.queued(at) : words.sent.planned(at),
        action: { label: words.sent.undo, act: () => void undo(post) }
      })
    }
    return depart("/")
  }

  const notDone = (error: unknown, again: () => void) => {
    if (error instanceof InvalidRequestError) {
      onRefused()
      void askAgain()
    } else if (error instanceof ConflictError && error.code === "post_not_editable") {
      toast({ icon: "cross", text: words.failed.underway })
      void depart("/posts/$id", stored!.id)
    } else if (error instanceof ConnectionError)
      toast({
        icon: "offline",
        text: words.failed.offline,
        action: { label: words.failed.retry, act: again }
      })
    else if (error instanceof ConflictError && error.code !== "stale_version")
      toast({ icon: "cross", text: error.message })
    void session.failed(error, again)
  }

  const send = async () => {
    if (isSending) return
    if (uploading > 0) {
      toast({ icon: "upload", text: words.stillUploading(uploading) })
      return
    }
    setSending(true)
    try {
      const found = await askAgain()
      if (found.length > 0) return onRefused()
      await told(await session.send())
    } catch (error) {
      notDone(error, () => void latest.current.send())
    } finally {
      setSending(false)
    }
  }

  const keepDraft = async () => {
    if (isSending) return
    if (form.accounts.length === 0) return onRefused()
    setSending(true)
    try {
      await (isDraft ? session.saveDraft() : session.unplan())
      session.end()
      toast({ icon: "check", text: isDraft ? words.sent.kept : words.sent.undone })
      await depart("/")
    } catch (error) {
      notDone(error, () => void latest.current.keepDraft())
    } finally {
      setSending(false)
    }
  }

  const save = () => {
    if (!isDraft) return void send()
    if (form.accounts.length === 0) return onRefused()
    session.saveDraft().catch((error) => notDone(error, save))
  }

  const remove = async () => {
    try {
      if (stored !== null) await carillon.posts.delete(stored.id, { ifMatch: stored })
      session.end()
      toast({ icon: "check", text: words.removed })
      await depart("/")
    } catch (error) {
      notDone(error, () => void latest.current.remove())
    }
  }

  const latest = useRef({ send, save, keepDraft, remove })
  latest.current = { send, save, keepDraft, remove }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      if (document.querySelector(".veil") !== null) return
      if (event.key === "Enter") void latest.current.send()
      else if (event.key === "s") latest.current.save()
      else return
      event.preventDefault()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])

  const hasUnsaved = stored === null ? session.touched && isWritten : !isSaved
  const blocker = useBlocker({
    withResolver: true,
    // What is written is kept in this browser: a reload or a closed tab loses nothing.
    enableBeforeUnload: false,
    shouldBlockFn: ({ next }) => {
      if (leave.current || !hasUnsaved) return false
      if (stored !== null && next.pathname.endsWith(`/posts/${stored.id}`)) return false
      if (isDraft && form.accounts.length > 0) {
        // A draft is saved by itself: it needs no question.
        session.saveDraft().then(
          () => postsChanged(),
          (error) => notDone(error, () => {})
        )
        return false
      }
      return true
    }
  })

  /** Stores what clashes with another change as a post of its own. */
  const storeNew = () =>
    void session.createDraft().then(
      (post) => {
        session.end()
        return depart("/posts/$id", post.id)
      },
      (error) => notDone(error, () => {})
    )

  return { blocker, isSending, keepDraft, remove, send, storeNew }
}
