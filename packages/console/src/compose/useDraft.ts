import { AuthenticationError, ConflictError, ConnectionError, NotFoundError, type Post } from "@carillon/sdk"
import { useEffect, useState, useSyncExternalStore } from "react"
import { carillon, workspace } from "../data/api.ts"
import { postSeen } from "../data/posts.ts"
import { reasonOf } from "../data/reasonOf.ts"
import {
  type Call,
  type CallFailure,
  type Draft,
  type DraftEvent,
  type InitialDraft,
  type Intent,
  isSaved,
  openDraft,
  reduceDraft,
  type Request,
  savesItself
} from "./Draft.ts"
import { type Action, change } from "./Form.ts"
import { forgetLocally, keepLocally } from "./LocalDraft.ts"
import { refusedItems } from "./refusedItems.ts"

const untilSaved = 1_500

/** After this long a save that found no service is tried again. */
const untilNextTry = 5_000

const ask = (request: Request): Promise<Post | null> => {
  switch (request.do) {
    case "create":
      return carillon.posts.create(request.body, { idempotencyKey: request.key })
    case "update":
      return carillon.posts.update(request.base.id, request.changes, { ifMatch: request.base })
    case "publish":
      return carillon.posts.publish(request.base.id, { ifMatch: request.base })
    case "delete":
      return carillon.posts.delete(request.base.id, { ifMatch: request.base }).then(() => null)
  }
}

const failureOf = async (error: unknown, call: Call): Promise<CallFailure> => {
  const { intent, request } = call
  if (error instanceof AuthenticationError) return { is: "signedOut" }
  if (error instanceof ConnectionError) return { is: "offline" }
  if (request.do !== "create") {
    if (error instanceof NotFoundError) return { is: "gone" }
    if (error instanceof ConflictError && error.code === "stale_version")
      return carillon.posts.get(request.base.id).then(
        (theirs) => ({ is: "conflict", theirs }),
        (other) => failureOf(other, call)
      )
  }
  const isListed = intent === "send" && refusedItems(error).length > 0
  return { is: "refused", reason: isListed ? null : reasonOf(error) }
}

/** The text stays in this browser until the service has it. */
const keep = (before: Draft, after: Draft, uploading: number) => {
  const { form, status, stored } = after
  const id = stored?.id ?? null
  const idBefore = before.stored?.id ?? null
  if (id !== idBefore) forgetLocally(idBefore)
  if (status.is === "ended" || (isSaved(after) && uploading === 0)) forgetLocally(id)
  else if (form !== before.form || stored !== before.stored) keepLocally(id, { form, stored, uploading })
}

interface Waiting {
  readonly intent: Intent
  readonly resolve: (post: Post | null) => void
  readonly reject: (error: unknown) => void
}

/** `crypto.randomUUID` is missing where the console is served without TLS. */
const newNonce = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-")

/** Runs the calls of a draft. It outlives its page: what is left is saved all the same. */
const startDraft = (initial: InitialDraft, onMade: (id: string) => void) => {
  let draft = openDraft(initial, workspace.timezone, newNonce())
  let uploading = 0
  let waiting: ReadonlyArray<Waiting> = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const save = () => {
    if (savesItself(draft)) dispatch({ type: "asked", intent: "save" })
  }
  const saveIn = (pause: number) => {
    clearTimeout(timer)
    timer = setTimeout(save, pause)
  }

  const dispatch = (event: DraftEvent) => {
    const before = draft
    draft = reduceDraft(before, event)
    // A late answer to what has ended must not touch the text of the next new post.
    if (draft === before) return
    keep(before, draft, uploading)
    for (const listener of listeners) listener()
    // A person who has left is not led back.
    if (listeners.size > 0 && before.stored === null && draft.stored !== null) onMade(draft.stored.id)
    if (listeners.size > 0) {
      if (event.type === "written" || draft.status.is === "gone") saveIn(untilSaved)
      else if (event.type === "failed" && draft.status.is === "offline") saveIn(untilNextTry)
    }
    if (draft.call !== null && draft.call !== before.call) void run(draft.call)
  }

  const settle = (how: (one: Waiting) => void) => {
    const isPending = ({ intent }: Waiting) => intent === draft.call?.intent || intent === draft.next
    const settled = waiting.filter((one) => !isPending(one))
    waiting = waiting.filter(isPending)
    settled.forEach(how)
  }

  const run = async (call: Call) => {
    try {
      const post = await ask(call.request)
      if (post !== null) postSeen(post)
      dispatch({ type: "answered", post, at: new Date() })
      settle(({ resolve }) => resolve(post))
    } catch (error) {
      const failure = await failureOf(error, call)
      const deletes = (draft.next ?? call.intent) === "delete"
      dispatch({ type: "failed", failure })
      // A post that is gone needs no deleting.
      settle(
        failure.is === "gone" && deletes ? ({ resolve }) => resolve(null) : ({ reject }) => reject(error)
      )
    }
  }

  return {
    read: () => draft,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Saves by itself for as long as the page is there. */
    open: () => {
      const tryAgain = () => {
        if (draft.status.is === "offline") save()
      }
      saveIn(untilSaved)
      window.addEventListener("online", tryAgain)
      return () => {
        clearTimeout(timer)
        window.removeEventListener("online", tryAgain)
      }
    },
    change: (action: Action) => dispatch({ type: "written", form: change(draft.form, action) }),
    /** Settles when the intent is carried out, with the last answer. */
    ask: (intent: Intent) =>
      new Promise<Post | null>((resolve, reject) => {
        waiting = [...waiting, { intent, resolve, reject }]
        dispatch({ type: "asked", intent })
        settle((one) => one.resolve(null))
      }),
    /** How many files are on their way: after a reload a person has to add them again. */
    setUploading: (count: number) => {
      uploading = count
      const { form, status, stored } = draft
      if (status.is === "ended") return
      if (count === 0 && (isSaved(draft) || !draft.isEdited)) forgetLocally(stored?.id ?? null)
      else keepLocally(stored?.id ?? null, { form, stored, uploading })
    },
    /** Looks whether the post is still as it was read. */
    look: async () => {
      const { stored } = draft
      if (stored !== null) dispatch({ type: "seen", post: await carillon.posts.get(stored.id) })
    },
    resolve: (keeps: "mine" | "theirs") => dispatch({ type: "resolved", keeps }),
    end: () => dispatch({ type: "ended" })
  }
}

export type DraftStore = ReturnType<typeof startDraft>

/** What is being written, and its way to the service. `onMade`: the post has an address now. */
export const useDraft = (initial: InitialDraft, onMade: (id: string) => void) => {
  const [store] = useState(() => startDraft(initial, onMade))
  useEffect(() => store.open(), [store])
  return { draft: useSyncExternalStore(store.subscribe, store.read), store }
}
