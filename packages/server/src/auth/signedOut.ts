import { problem } from "@carillon/domain"

/** How a request is refused whose session has ended, or never was. */
export const signedOut = () =>
  problem("signed_out", "The browser is not signed in here, or no longer is; sign in again.")
