import { workspace } from "../data/api.ts"
import { emptyForm, type Form } from "./Form.ts"

/** A post as the service has it. */
export interface Stored {
  readonly id: string
  readonly version: string
  readonly draft: boolean
  readonly form: Form
}

/** What was written and may not be at the service yet. */
export interface Kept {
  readonly form: Form
  readonly stored: Stored | null
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

/** Keeps the text in this browser, where neither a lost connection nor an ended sign-in reaches it. */
export const keep = (id: string | null, kept: Omit<Kept, "at">) =>
  attempt(() => localStorage.setItem(keyOf(id), JSON.stringify({ ...kept, at: Date.now() })))

export const keptOf = (id: string | null): Kept | null =>
  attempt(() => {
    const kept = JSON.parse(localStorage.getItem(keyOf(id)) ?? "null") as Kept | null
    return kept && { ...kept, form: whole(kept.form), stored: kept.stored && withWholeForm(kept.stored) }
  })

/** What was kept before an upgrade may lack a part. */
const whole = (form: Form): Form => ({ ...emptyForm, ...form })

const withWholeForm = (stored: Stored): Stored => ({ ...stored, form: whole(stored.form) })

export const forget = (id: string | null) => attempt(() => localStorage.removeItem(keyOf(id)))
