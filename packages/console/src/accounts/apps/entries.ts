import type { PlatformApp } from "@carillon/sdk"

/** What is typed into the two fields. */
export interface Entries {
  readonly id: string
  readonly secret: string
}

export interface Missing {
  readonly id: boolean
  readonly secret: "missing" | "of_another_id" | null
}

/** What is missing to save, or to test: the secret that is kept counts for its own id. */
export const missingIn = (
  { id, secret }: Entries,
  { client_id, source }: Pick<PlatformApp, "client_id" | "source">,
  purpose: "save" | "test"
): Missing => {
  const kept = source === "stored" && id.trim() === client_id
  return {
    id: id.trim() === "",
    secret: secret.trim() !== "" || (kept && purpose === "test") ? null : secretMissing(source, kept)
  }
}

const secretMissing = (source: PlatformApp["source"], kept: boolean) =>
  source === "stored" && !kept ? "of_another_id" : "missing"

/** How many accounts saving these disconnects. */
export const disconnectedBy = ({ id }: Entries, { accounts, client_id }: PlatformApp) =>
  id.trim() === client_id ? 0 : accounts
