import type { Approval } from "@carillon/sdk"
import { workspace } from "../data/api.ts"
import { emptyForm, type Form } from "./Form.ts"

/** A post as the service has it. */
export interface SavedPost {
  readonly id: string
  readonly version: string
  readonly draft: boolean
  readonly form: Form
  /** When an app asks to publish it. */
  readonly wants?: Approval["wants"] | undefined
}

/** What was written and may not be at the service yet. */
export interface LocalDraft {
  readonly form: Form
  readonly stored: SavedPost | null
  /** How many files were on their way. They are not kept. */
  readonly uploading: number
  /** When it was written, in milliseconds. */
  readonly at: number
}

const keyOf = (id: string | null) => `carillon.written.${workspace.id}.${id ?? "new"}`

// A browser that keeps nothing, or is full, must not stop a person from writing.
const attempt = <A>(run: () => A): A | null => {
  try {
    return run()
  } catch {
    return null
  }
}

/** Keeps the text in this browser, where neither a lost connection nor an ended session reaches it. */
export const keepLocally = (id: string | null, draft: Omit<LocalDraft, "at">) =>
  attempt(() => localStorage.setItem(keyOf(id), JSON.stringify({ ...draft, at: Date.now() })))

export const localDraftOf = (id: string | null): LocalDraft | null =>
  attempt(() => {
    const draft = JSON.parse(localStorage.getItem(keyOf(id)) ?? "null") as LocalDraft | null
    return (
      draft && {
        ...draft,
        uploading: draft.uploading ?? 0,
        form: whole(draft.form),
        stored: draft.stored && withWholeForm(draft.stored)
      }
    )
  })

/** A text from before an upgrade may lack a part. */
const whole = (form: Form): Form => ({ ...emptyForm, ...form })

const withWholeForm = (stored: SavedPost): SavedPost => ({ ...stored, form: whole(stored.form) })

export const forgetLocally = (id: string | null) => attempt(() => localStorage.removeItem(keyOf(id)))
