import { Schema } from "effect"
import { decodeCredentials } from "../StoredCredentials.ts"

export const BlueskyCredentials = Schema.Struct({
  service: Schema.String,
  did: Schema.String,
  accessJwt: Schema.String,
  refreshJwt: Schema.String
})
export type BlueskyCredentials = typeof BlueskyCredentials.Type

export const decodeStored = decodeCredentials(BlueskyCredentials, "Bluesky")
