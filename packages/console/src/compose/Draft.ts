import type { CreatePost, Post, UpdatePost } from "@carillon/sdk"
import { type Form, changesOf, fromPost, sameForm, timeOf, toDraft, toRequest } from "./Form.ts"
import type { SavedPost } from "./LocalDraft.ts"
import type { Failure } from "./repairs.ts"

/** What a person, or the clock, wants of a draft. `copy` stores what is written as a post of its own. */
export type Intent = "save" | "send" | "unschedule" | "delete" | "copy"

/** One request to the service. A repeated create has the same key, so that a lost answer makes no second post. */
export type Request =
  | { readonly do: "create"; readonly body: CreatePost; readonly number: number; readonly key: string }
  | { readonly do: "update"; readonly changes: UpdatePost; readonly base: SavedPost }
  | { readonly do: "publish" | "delete"; readonly base: SavedPost }

/** The request under way, for the form as it was when it began. */
export interface Call {
  readonly intent: Intent
  readonly form: Form
  readonly request: Request
  /** Its answer is the end of writing. */
  readonly isLast: boolean
}

export type Status =
  | { readonly is: "idle" }
  | { readonly is: "saving" }
  | { readonly is: "saved"; readonly at: Date }
  /** The service is not there. */
  | { readonly is: "offline" }
  | { readonly is: "refused"; readonly reason: string }
  /** Somebody else changed the post. Nothing is saved until a person has chosen. */
  | { readonly is: "conflict"; readonly theirs: Post; readonly intent: Intent }
  | { readonly is: "signedOut" }
  /** Somebody deleted the post: what is written becomes a new one. */
  | { readonly is: "gone" }
  /** Nothing is saved or kept any more. */
  | { readonly is: "ended" }

/** A post while it is written, and its way to the service. */
export interface Draft {
  readonly form: Form
  /** The post as the service has it; null: it has none yet. */
  readonly stored: SavedPost | null
  /** What an address or a copy begins with is no draft until a person changes it. */
  readonly isEdited: boolean
  readonly status: Status
  readonly call: Call | null
  /** What was asked for while another call was under way. */
  readonly next: Intent | null
  /** The last create, which has the same key when it is repeated. An answered one has no body. */
  readonly attempt: { readonly body: string; readonly number: number }
  /** What the keys of this draft begin with. */
  readonly nonce: string
  readonly repairs: ReadonlyArray<Failure>
  readonly zone: string
}

/** Why a call came to nothing. `refused` has no reason where the problem list tells it. */
export type CallFailure =
  | { readonly is: "offline" | "signedOut" | "gone" }
  | { readonly is: "refused"; readonly reason: string | null }
  | { readonly is: "conflict"; readonly theirs: Post }

export type DraftEvent =
  | { readonly type: "written"; readonly form: Form }
  | { readonly type: "asked"; readonly intent: Intent }
  /** `post` is null after a delete. */
  | { readonly type: "answered"; readonly post: Post | null; readonly at: Date }
  | { readonly type: "failed"; readonly failure: CallFailure }
  /** The post as it is now. */
  | { readonly type: "seen"; readonly post: Post }
  /** A person chose between two versions. */
  | { readonly type: "resolved"; readonly keeps: "mine" | "theirs" }
  | { readonly type: "ended" }

/** What writing begins with. */
export interface InitialDraft {
  readonly form: Form
  readonly stored: SavedPost | null
  /** When the text that was found in this browser had been written. */
  readonly restored: number | null
  /** How many files were not uploaded by then. */
  readonly lostFiles: number
  /** When the service tries again by itself, changed or not. */
  readonly nextTry: string | null
  /** The failures that the post goes out instead of. */
  readonly repairs: ReadonlyArray<Failure>
}

export const openDraft = (
  { form, repairs, restored, stored }: InitialDraft,
  zone: string,
  nonce: string
): Draft => ({
  form,
  stored,
  isEdited: restored !== null,
  status: { is: "idle" },
  call: null,
  next: null,
  attempt: { body: "", number: 0 },
  nonce,
  repairs,
  zone
})

export const savedPost = (post: Post, zone: string, form: Form = fromPost(post, zone)): SavedPost => ({
  id: post.id,
  version: post.version,
  draft: post.is_draft,
  form,
  wants: post.approval?.status === "waiting" ? post.approval.wants : undefined
})

export const isDraft = ({ stored }: Draft) => stored === null || stored.draft

export const isSaved = ({ form, stored }: Draft) => stored !== null && sameForm(stored.form, form)

/** Whether it saves itself once nothing more is typed. */
export const savesItself = (draft: Draft) =>
  isDraft(draft) &&
  draft.form.accounts.length > 0 &&
  (draft.stored === null ? draft.isEdited : !isSaved(draft)) &&
  !["conflict", "signedOut", "ended"].includes(draft.status.is)

/** The request of a new post names one failure; the service finds the others. */
const repairing = (repairs: Draft["repairs"], body: CreatePost): CreatePost => {
  const failure = repairs.find(({ account }) => body.social_accounts.includes(account))
  return failure === undefined ? body : { ...body, repairs: failure.result }
}

type Plan = Pick<Call, "request" | "isLast">

const update = (base: SavedPost, changes: UpdatePost, isLast: boolean): Plan => ({
  request: { do: "update", changes, base },
  isLast
})

const planSend = ({ form, zone }: Draft, base: SavedPost): Plan => {
  const changes = changesOf(base.form, form, zone, { draft: false })
  if (form.when.kind !== "now")
    return update(
      base,
      base.draft ? { ...changes, ...timeOf(form.when, zone), is_draft: false } : changes,
      true
    )
  const { scheduled_at: _, use_queue: __, ...content } = changes
  if (Object.keys(content).length === 0) return { request: { do: "publish", base }, isLast: true }
  // A post that waits for its next try goes out with its change: to publish it as well would come too late.
  return update(base, content, !base.draft && base.form.when.kind === "now")
}

/** The next request of an intent; null: there is nothing to ask. */
const plan = (draft: Draft, intent: Intent): Plan | null => {
  const { attempt, form, nonce, repairs, stored, zone } = draft
  const create = (body: CreatePost, isLast: boolean): Plan => {
    const number = attempt.body === JSON.stringify(body) ? attempt.number : attempt.number + 1
    return { request: { do: "create", body, number, key: `${nonce}-${number}` }, isLast }
  }
  const draftChanges = () => changesOf(stored!.form, form, zone, { draft: true })
  switch (intent) {
    case "save":
      if (form.accounts.length === 0 || isSaved(draft)) return null
      return stored === null
        ? create(repairing(repairs, toDraft(form, zone)), false)
        : update(stored, draftChanges(), false)
    case "send":
      return stored === null
        ? create(repairing(repairs, toRequest(form, zone)), true)
        : planSend(draft, stored)
    case "unschedule":
      return stored && update(stored, { ...draftChanges(), is_draft: true }, true)
    case "delete":
      return stored && { request: { do: "delete", base: stored }, isLast: true }
    case "copy":
      return create(toDraft(form, zone), true)
  }
}

const begin = (draft: Draft, intent: Intent, next: Intent | null = null): Draft => {
  const planned = plan(draft, intent)
  if (planned === null) return goOn({ ...draft, call: null, next })
  const { request } = planned
  return {
    ...draft,
    call: { intent, form: draft.form, ...planned },
    next,
    attempt:
      request.do === "create"
        ? { body: JSON.stringify(request.body), number: request.number }
        : draft.attempt,
    status: intent === "save" ? { is: "saving" } : draft.status
  }
}

/** Begins what was asked for while a call was under way. */
const goOn = (draft: Draft): Draft => (draft.next === null ? draft : begin(draft, draft.next))

const end = (draft: Draft): Draft => ({ ...draft, call: null, next: null, status: { is: "ended" } })

const answered = (
  draft: Draft,
  { form, intent, isLast, request }: Call,
  post: Post | null,
  at: Date
): Draft => {
  if (isLast || post === null) return end(draft)
  const saved: Draft = {
    ...draft,
    // A post that is sent now keeps its time until it is published.
    stored: savedPost(
      post,
      draft.zone,
      intent === "send" && request.do === "update" ? { ...form, when: request.base.form.when } : form
    ),
    attempt: { ...draft.attempt, body: "" },
    call: null,
    status: { is: "saved", at }
  }
  return intent === "send" ? begin(saved, "send") : goOn(saved)
}

/** The draft on a version that the service itself made, in nothing that a person reads here; null: somebody changed it. */
const rebase = (draft: Draft, theirs: Post): Draft | null => {
  const { stored, zone } = draft
  if (stored === null) return null
  const saved = savedPost(theirs, zone)
  return sameForm(saved.form, stored.form) && saved.draft === stored.draft && saved.wants === stored.wants
    ? { ...draft, stored: { ...saved, form: stored.form } }
    : null
}

const failed = (draft: Draft, { intent }: Call, failure: CallFailure): Draft => {
  const stopped: Draft = { ...draft, call: null }
  switch (failure.is) {
    case "offline":
      return goOn({ ...stopped, status: { is: "offline" } })
    case "refused":
      return goOn(
        failure.reason === null ? stopped : { ...stopped, status: { is: "refused", reason: failure.reason } }
      )
    case "signedOut":
      return { ...stopped, next: null, status: { is: "signedOut" } }
    case "gone":
      return (draft.next ?? intent) === "delete"
        ? end(draft)
        : { ...stopped, next: null, stored: null, status: { is: "gone" } }
    case "conflict": {
      const { theirs } = failure
      const { next } = draft
      const rebased = rebase(stopped, theirs)
      if (rebased !== null) return begin(rebased, intent, next)
      return { ...stopped, next: null, status: { is: "conflict", theirs, intent: next ?? intent } }
    }
  }
}

export const reduceDraft = (draft: Draft, event: DraftEvent): Draft => {
  const { call, next, status, stored } = draft
  if (status.is === "ended") return draft
  switch (event.type) {
    case "written":
      return { ...draft, form: event.form, isEdited: true }
    case "asked":
      if (call === null) return begin(draft, event.intent)
      // Whatever else is next saves too.
      return event.intent === "save" && next !== null ? draft : { ...draft, next: event.intent }
    case "answered":
      return call === null ? draft : answered(draft, call, event.post, event.at)
    case "failed":
      return call === null ? draft : failed(draft, call, event.failure)
    case "seen": {
      const { post } = event
      if (call !== null || stored === null || post.version === stored.version) return draft
      return rebase(draft, post) ?? { ...draft, status: { is: "conflict", theirs: post, intent: "save" } }
    }
    case "resolved": {
      if (status.is !== "conflict") return draft
      const theirs = savedPost(status.theirs, draft.zone)
      return {
        ...draft,
        stored: theirs,
        form: event.keeps === "mine" ? draft.form : theirs.form,
        status: { is: "idle" }
      }
    }
    case "ended":
      return end(draft)
  }
}
