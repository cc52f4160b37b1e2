import { Schema } from "effect"

/** The platforms that the test network stands in for. */
export const PlatformId = Schema.Literals(["sandbox"])
export type PlatformId = typeof PlatformId.Type

/** The calls of a platform that can be told to misbehave. */
export const Operation = Schema.Literals(["session", "media", "media_status", "post", "post_search"])
export type Operation = typeof Operation.Type
