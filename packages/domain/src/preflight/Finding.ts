import type { Schema } from "effect"

/** A problem that an account's platform has with a part of the post; `sentence` continues after the account's name. */
export interface Finding {
  readonly path: string
  readonly code: string
  readonly sentence: string
  readonly media_id?: string
  readonly rule: string
  readonly limit?: Schema.Json
  readonly value?: Schema.Json
}
