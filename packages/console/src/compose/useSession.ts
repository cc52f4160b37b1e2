import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  type CreatePost,
  type Post
} from "@carillon/sdk"
import { useCallback, useEffect, useRef, useState } from "react"
import { carillon, workspace } from "../data/api.ts"
import { type Action, change, changesOf, type Form, fromPost, sameForm, toDraft, toRequest } from "./Form.ts"
import { forget, keep, type Stored } from "./Kept.ts"
import type { Failure } from "./repairs.ts"

const zone = workspace.timezone

const pause = 1_500

/** After this long a save that found no service is tried again. */
const untilNextTry = 5_000

export type Saving =
  | { readonly kind: "none" }
  | { readonly kind: "saving" }
  | { readonly kind: "saved"; readonly at: Date }
  /** The service is not there; the text is kept in this browser. */
  | { readonly kind: "offline" }
  | { readonly kind: "refused"; readonly why: string }

/** Two changes of the same post. `again`: what was being done when it showed. */
export interface Clash {
  readonly theirs: Post
  readonly again: () => void
}

export const storedOf = (post: Post, form: Form = fromPost(post, zone)): Stored => ({
  id: post.id,
  version: post.version,
  draft: post.is_draft,
  form
})

/** What a session begins with. */
export interface Begun {
  readonly form: Form
  readonly stored: Stored | null
  /** When what was not saved had been written. */
  readonly restored: number | null
  /** When it is tried again by itself, changed or not. */
  readonly nextTry: string | null
  /** What it goes out instead of. */
  readonly repairs: ReadonlyArray<Failure>
}

interface Hooks {
  /** The post has an address now. */
  readonly onMade: (id: string) => void
}

/** What is being written, and its way to the service. */
export const useSession = (begun: Begun, { onMade }: Hooks) => {
  const [form, setForm] = useState(begun.form)
  const [stored, setStored] = useState(begun.stored)
  const [saving, setSaving] = useState<Saving>({ kind: "none" })
  const [clash, setClash] = useState<Clash | null>(null)
  const [signedOut, setSignedOut] = useState(false)
  // What an address or a copy begins with is no draft until a person makes it theirs.
  const [touched, setTouched] = useState(begun.restored !== null)
  // What is saved is what is there when its turn comes, not when it was asked for.
  const now = useRef({ form, stored, ended: false })
  const calls = useRef<Promise<unknown>>(Promise.resolve())
  const attempt = useRef({ body: "", key: "" })
  const { repairs } = begun
  /** The request of a new post names one failure; the service finds the others. */
  const repairing = useCallback(
    (request: CreatePost): CreatePost => {
      const failure = repairs.find(({ account }) => request.social_accounts.includes(account))
      return failure === undefined ? request : { ...request, repairs: failure.result }
    },
    [repairs]
  )

  const write = useCallback((next: Form) => {
    now.current.form = next
    setForm(next)
    setTouched(true)
    keep(now.current.stored?.id ?? null, { form: next, stored: now.current.stored })
  }, [])

  const act = useCallback((action: Action) => write(change(now.current.form, action)), [write])

  const adopt = useCallback(
    (post: Post, sent: Form) => {
      const before = now.current.stored
      const next = storedOf(post, sent)
      now.current.stored = next
      setStored(next)
      if (before === null) forget(null)
      if (sameForm(now.current.form, sent)) forget(next.id)
      else keep(next.id, { form: now.current.form, stored: next })
      setSaving({ kind: "saved", at: new Date() })
      if (before === null) onMade(next.id)
      return next
    },
    [onMade]
  )

  /** One call after the other, so that each has the version of the one before. */
  const inTurn = useCallback(<A>(call: () => Promise<A>): Promise<A> => {
    const next = calls.current.then(call, call)
    calls.current = next.catch(() => {})
    return next
  }, [])

  /** The same request has the same key, so that one whose answer was lost makes nothing twice. */
  const create = useCallback((request: CreatePost) => {
    const body = JSON.stringify(request)
    if (attempt.current.body !== body)
      attempt.current = {
        body,
        key: Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-")
      }
    return carillon.posts.create(request, { idempotencyKey: attempt.current.key })
  }, [])

  const failed = useCallback(async (error: unknown, again: () => void) => {
    const { form: mine, stored: base } = now.current
    if (error instanceof AuthenticationError) {
      keep(base?.id ?? null, { form: mine, stored: base })
      setSignedOut(true)
      setSaving({ kind: "offline" })
    } else if (error instanceof ConflictError && error.code === "stale_version" && base !== null) {
      const theirs = await carillon.posts.get(base.id)
      if (sameForm(fromPost(theirs, zone), base.form) && theirs.is_draft === base.draft) {
        // The service itself changed it, in nothing that is written here.
        now.current.stored = storedOf(theirs, base.form)
        setStored(now.current.stored)
        again()
      } else {
        setSaving({ kind: "none" })
        setClash({ theirs, again })
      }
    } else if (error instanceof NotFoundError && base !== null) {
      // Somebody deleted it. What is written here becomes a draft of its own.
      forget(base.id)
      now.current.stored = null
      setStored(null)
      setSaving({ kind: "none" })
    } else if (error instanceof ConnectionError) setSaving({ kind: "offline" })
    else setSaving({ kind: "refused", why: error instanceof Error ? error.message : String(error) })
  }, [])

  /** Saves a draft, if there is something to save. */
  const saveDraft = useCallback(
    (): Promise<Stored | null> =>
      inTurn(async () => {
        const { form: sent, stored: base } = now.current
        if (sent.accounts.length === 0) return base
        if (base !== null && sameForm(base.form, sent)) return base
        setSaving({ kind: "saving" })
        return base === null
          ? adopt(await create(repairing(toDraft(sent, zone))), sent)
          : adopt(
              await carillon.posts.update(base.id, changesOf(base.form, sent, zone, { draft: true }), {
                ifMatch: base
              }),
              sent
            )
      }),
    [adopt, create, inTurn, repairing]
  )

  const autosave = useCallback((): void => {
    saveDraft().catch((error) => failed(error, autosave))
  }, [failed, saveDraft])

  const isDraft = stored === null || stored.draft
  const saves =
    isDraft && form.accounts.length > 0 && (stored === null ? touched : !sameForm(stored.form, form))
  useEffect(() => {
    if (!saves || clash !== null || signedOut) return
    const timer = setTimeout(() => {
      if (!now.current.ended) autosave()
    }, pause)
    return () => clearTimeout(timer)
  }, [saves, form, clash, signedOut, autosave])

  useEffect(() => {
    if (saving.kind !== "offline" || !saves || signedOut) return
    const timer = setInterval(autosave, untilNextTry)
    window.addEventListener("online", autosave)
    return () => {
      clearInterval(timer)
      window.removeEventListener("online", autosave)
    }
  }, [saving.kind, saves, signedOut, autosave])

  /** Sends the post on its way, as its time says. */
  const send = useCallback(
    (): Promise<Post> =>
      inTurn(async () => {
        const { form: sent, stored: base } = now.current
        if (base === null) {
          const post = await create(repairing(toRequest(sent, zone)))
          now.current.ended = true
          forget(null)
          return post
        }
        const changes = changesOf(base.form, sent, zone, { draft: false })
        const { kind } = sent.when
        if (kind === "now") {
          const { scheduled_at: _, use_queue: __, ...content } = changes
          const isSame = Object.keys(content).length === 0
          // One that waits for its next try goes out with its change: to publish it as well would come too late.
          if (!isSame && !base.draft && base.form.when.kind === "now") {
            const post = await carillon.posts.update(base.id, content, { ifMatch: base })
            now.current.ended = true
            forget(base.id)
            return post
          }
          const changed = isSame
            ? base
            : adopt(await carillon.posts.update(base.id, content, { ifMatch: base }), {
                ...sent,
                when: base.form.when
              })
          const post = await carillon.posts.publish(base.id, { ifMatch: changed })
          now.current.ended = true
          forget(base.id)
          return post
        }
        const time = !base.draft ? {} : { ...timeOf(sent), is_draft: false }
        const post = await carillon.posts.update(base.id, { ...changes, ...time }, { ifMatch: base })
        now.current.ended = true
        forget(base.id)
        return post
      }),
    [adopt, create, inTurn, repairing]
  )

  /** Makes a draft of a planned post, with what is written. */
  const unplan = useCallback(
    (): Promise<Post> =>
      inTurn(async () => {
        const { form: sent, stored: base } = now.current
        const post = await carillon.posts.update(
          base!.id,
          { ...changesOf(base!.form, sent, zone, { draft: true }), is_draft: true },
          { ifMatch: base! }
        )
        now.current.ended = true
        forget(base!.id)
        return post
      }),
    [inTurn]
  )

  return {
    form,
    stored,
    saving,
    clash,
    signedOut,
    touched,
    act,
    write,
    saveDraft,
    send,
    unplan,
    failed,
    /** Nothing is saved any more, and nothing kept. */
    end: useCallback(() => {
      now.current.ended = true
      forget(now.current.stored?.id ?? null)
    }, []),
    /** Takes the post as the service has it for what the next change is compared with. */
    rebase: useCallback((post: Post, mine: Form | null) => {
      const next = storedOf(post)
      now.current.stored = next
      setStored(next)
      setClash(null)
      const written = mine ?? next.form
      now.current.form = written
      setForm(written)
      if (mine === null) forget(next.id)
      else keep(next.id, { form: written, stored: next })
    }, []),
    createDraft: useCallback(() => create(toDraft(now.current.form, zone)), [create]),
    isSaved: stored !== null && sameForm(stored.form, form)
  }
}

const timeOf = (form: Form) => {
  const { scheduled_at, use_queue } = toRequest(form, zone)
  return { ...(scheduled_at == null ? {} : { scheduled_at }), ...(use_queue == null ? {} : { use_queue }) }
}
