import type { Schema } from "effect"

/** JSON that an adapter needs again later: container ids, upload sessions, record keys. The engine stores it. */
export type Handle = { readonly [key: string]: Schema.Json }
