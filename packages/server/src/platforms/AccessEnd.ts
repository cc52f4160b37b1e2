import { DateTime, Effect } from "effect"

const century = 100 * 365 * 86_400

/**
 * The end of all access that can be renewed, by the seconds that a platform says of its refresh token. Nothing where it
 * does not say: then what was known stays true.
 */
export const accessEnd = (seconds: number | undefined) =>
  Effect.map(DateTime.now, (now): { readonly access_expires_at?: DateTime.Utc } =>
    seconds === undefined || seconds <= 0
      ? {}
      : { access_expires_at: DateTime.add(now, { seconds: Math.min(seconds, century) }) }
  )
