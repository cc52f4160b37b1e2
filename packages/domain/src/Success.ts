import { Schema } from "effect"
import { field } from "./Field.ts"

/** What answers of deletions begin with, as clients of similar services expect. */
export const success = field(
  "Always true: a request that fails is answered with a problem instead.",
  Schema.Literal(true)
)
