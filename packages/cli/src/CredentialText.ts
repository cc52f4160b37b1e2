import type { Carillon, Profile } from "@carillon/sdk"
import type { Target } from "./Session.ts"
import { shortTime } from "./Text.ts"

/** `as Olive, with the app Carillon command line`, `with the key newsletter`. */
export const credentialName = ({ credential: { member, name, type } }: Profile): string =>
  type === "app"
    ? `as ${member}, with the app ${name}`
    : name === null
      ? "with the bootstrap key"
      : `with the key ${name}`

/** `the sign-in in /home/me/.config/carillon/config.json`, `CARILLON_API_KEY`. */
export const whereFrom = ({ keyFrom, signIn }: Target): string =>
  signIn === undefined ? keyFrom : `the sign-in in ${keyFrom}`

/** The accounts that the credential works with, its condition and its end; a line each. */
export const describeCredential = async (
  client: Carillon,
  { credential }: Profile
): Promise<ReadonlyArray<string>> => {
  const { expires_at, needs_approval, social_accounts: ids, type } = credential
  return [
    `Accounts: ${ids === null ? "all" : (await namesOf(client, ids)).join(", ")}`,
    ...(needs_approval ? ["Approval required: its posts stay drafts until a person approves them"] : []),
    ...(expires_at === null
      ? []
      : [
          `Expires: ${shortTime(expires_at)}${type === "app" ? " unless used before then; revoke it under Connected apps" : ""}`
        ])
  ]
}

/** The accounts' handles, where the credential may see them. */
const namesOf = async (client: Carillon, ids: ReadonlyArray<number>): Promise<ReadonlyArray<string>> => {
  const { data } = await client.accounts.list({ limit: 200 }).catch(() => ({ data: [] }))
  return ids.map((id) => {
    const account = data.find((one) => one.id === id)
    return account === undefined ? String(id) : `${account.platform}/@${account.username} (${id})`
  })
}
