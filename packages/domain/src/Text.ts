import { Schema } from "effect"

/** Text that can be stored and sent on: without NUL, which PostgreSQL cannot store, and without half a surrogate pair. */
export const Text = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (text.isWellFormed() && !text.includes("\0")) ||
      "contains a NUL character or half of a surrogate pair; remove it",
    { expected: "text without NUL characters or halves of surrogate pairs" }
  )
)
