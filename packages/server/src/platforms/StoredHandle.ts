import { Effect, type Option } from "effect"
import type { Handle } from "../engine/Handle.ts"
import { PublishError } from "./Platform.ts"

/** Forgets a handle that another version wrote otherwise, or that cannot be decrypted any more. */
export const handleUnreadable = (platform: string) =>
  new PublishError({
    class: "transient",
    code: "handle_unreadable",
    message: `The stored state of this ${platform} post cannot be read. Carillon will prepare the post again.`,
    discard_handle: true
  })

/** Reads a stored handle that the next call needs. */
export const readHandleWith =
  <A>(decode: (saved: Handle) => Option.Option<A>, platform: string) =>
  (saved: Handle): Effect.Effect<A, PublishError> =>
    Effect.mapError(Effect.fromOption(decode(saved)), () => handleUnreadable(platform))
