import { type PermissionName, permissionsOf } from "@carillon/domain/Permissions"
import { isPlatformId } from "@carillon/domain/PlatformFacts"
import { Effect } from "effect"
import { allowConsent } from "./allowConsent.ts"
import { Service } from "./ServiceProcess.ts"

/** What a person does on a stand-in's consent page, with plain HTTP; how their browser is answered in the end. */
export const signInAt = Effect.fnUntraced(function* (authorizeUrl: string, username: string) {
  const visit = (url: string, init: RequestInit = {}) =>
    Effect.promise(() => fetch(url, { redirect: "manual", ...init }))
  const begun = yield* visit(authorizeUrl, { method: "POST" })
  const cookie = begun.headers.get("set-cookie")!.split(";", 1)[0]!
  const consent = begun.headers.get("location")!
  const page = yield* Effect.promise(async () => (await fetch(consent)).text())
  const scopes = [...page.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) => scope!)
  const back = yield* allowConsent(consent, username, scopes)
  const { headers, text } = yield* Effect.promise(async () => {
    const answer = await fetch(back!, { redirect: "manual", headers: { cookie } })
    return { headers: answer.headers, text: await answer.text() }
  })
  return { cookie, location: headers.get("location"), page: text }
})

/** The same for one whose browser goes back to the client; where it ends. */
export const visitConsentPage = (authorizeUrl: string, username: string) =>
  Effect.flatMap(signInAt(authorizeUrl, username), ({ location, page }) =>
    location === null ? Effect.die(new Error(page)) : Effect.succeed(location)
  )

/** Connects an account as a person does in the browser; the accounts' ids. */
export const connectInBrowser = Effect.fnUntraced(function* (
  platform: string,
  username: string,
  {
    login,
    choose = [],
    fields,
    headers,
    permissions = isPlatformId(platform) ? permissionsOf(platform) : []
  }: {
    readonly login?: string
    /** Which of the accounts offered, by position. */
    readonly choose?: ReadonlyArray<number>
    /** By default all that the platform has. */
    readonly permissions?: ReadonlyArray<PermissionName>
    /** What the platform wants to know before. */
    readonly fields?: Readonly<Record<string, string>>
    /** Of another workspace's key. */
    readonly headers?: Record<string, string>
  } = {}
) {
  const service = yield* Service
  const wanted = {
    platform,
    redirect_url: "http://127.0.0.1:9/done",
    ...(login === undefined ? {} : { login }),
    ...(fields === undefined ? {} : { fields }),
    permissions
  }
  const { body } = yield* service.call("POST", "/v1/social-accounts/connect", wanted, headers)
  const end = new URL(yield* visitConsentPage(body.authorize_url, username)).searchParams
  if (end.get("status") === "pending") {
    const path = `/v1/social-accounts/pending/${end.get("pending")}`
    const offer = (yield* service.call("GET", path, undefined, headers)).body.accounts
    const accounts = choose.map((index) => offer[index].id)
    const chosen = yield* service.call("POST", path, { accounts }, headers)
    return chosen.body.data.map(({ id }: { readonly id: number }) => id) as ReadonlyArray<number>
  }
  if (end.get("status") !== "connected") return yield* Effect.die(new Error(String(end)))
  return end.getAll("social_account_id").map(Number)
})
