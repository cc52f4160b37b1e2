import { Effect } from "effect"
import { PublishError } from "./Platform.ts"

/** Fails with `scopes_missing` if a person did not allow all that publishing needs; a consent page lets them untick. */
export const requireScopes = (
  needed: ReadonlyArray<string>,
  granted: ReadonlyArray<string>
): Effect.Effect<void, PublishError> => {
  const missing = needed.filter((scope) => !granted.includes(scope))
  return missing.length === 0
    ? Effect.void
    : Effect.fail(
        new PublishError({
          class: "reconnect",
          code: "scopes_missing",
          message: `Publishing needs permissions that were not granted: ${missing.join(", ")}. Connect again and leave every permission selected.`
        })
      )
}
