import { allowConsent } from "@carillon/testing/allowConsent"
import { Effect } from "effect"

/** The code that the browser comes back with from a stand-in's consent page. */
export const consentCode = (page: string, username: string, scopes: ReadonlyArray<string>) =>
  Effect.map(allowConsent(page, username, scopes), (location) => new URL(location!).searchParams.get("code")!)
