import type { Schema } from "effect"

/** What an account's platform has against a part of the post; `sentence` goes on from the account's name. */
export interface Finding {
  readonly path: string
  readonly code: string
  readonly sentence: string
  readonly media_id?: string
  readonly rule: string
  readonly limit?: Schema.Json
  readonly value?: Schema.Json
}
