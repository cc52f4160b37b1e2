import { Schema } from "effect"

/** What answers of deletions begin with, as clients of similar services expect. */
export const success = Schema.Literal(true).annotate({
  identifier: "Success",
  description: "Always true: a request that fails is answered with a problem instead."
})
