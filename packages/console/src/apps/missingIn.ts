import type { PlatformApp } from "@carillon/sdk"

/** The typed values. `token`: undefined for an app without a bot. */
export interface Entries {
  readonly id: string
  readonly secret: string
  readonly token?: string | undefined
}

export interface Missing {
  readonly id: boolean
  readonly secret: "missing" | "of_another_id" | null
  readonly token: "missing" | "of_another_id" | null
}

/** What is missing to save or to test. For a test, a stored secret counts for its own id. */
export const missingIn = (
  { id, secret, token }: Entries,
  { client_id, source }: Pick<PlatformApp, "client_id" | "source">,
  purpose: "save" | "test"
): Missing => {
  const kept = source === "stored" && id.trim() === client_id
  const isKept = kept && purpose === "test" && [secret, token ?? ""].every((one) => one.trim() === "")
  const missing = (typed: string) => (typed.trim() !== "" || isKept ? null : secretMissing(source, kept))
  return {
    id: id.trim() === "",
    secret: missing(secret),
    token: token === undefined ? null : missing(token)
  }
}

const secretMissing = (source: PlatformApp["source"], kept: boolean) =>
  source === "stored" && !kept ? "of_another_id" : "missing"

/** How many accounts saving these disconnects. */
export const disconnectedBy = ({ id }: Entries, { accounts, client_id }: PlatformApp) =>
  id.trim() === client_id ? 0 : accounts
