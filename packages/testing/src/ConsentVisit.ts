import { Effect } from "effect"
import { allowConsent } from "./allowConsent.ts"
import { Service } from "./ServiceProcess.ts"

interface Visitor {
  readonly username: string
  /** Which of the accounts offered, by position. */
  readonly choose?: ReadonlyArray<number> | undefined
}

/** What a person does on a stand-in's consent page and on the choice after it, with plain HTTP; where they end. */
export const visitConsentPage = Effect.fnUntraced(function* (
  authorizeUrl: string,
  platform: string,
  { choose, username }: Visitor
) {
  const service = yield* Service
  const visit = (url: string, init: RequestInit = {}) =>
    Effect.promise(() => fetch(url, { redirect: "manual", ...init }))
  const begun = yield* visit(authorizeUrl, { method: "POST" })
  const cookie = begun.headers.get("set-cookie")!.split(";", 1)[0]!
  const consent = begun.headers.get("location")!
  const page = yield* Effect.promise(async () => (await fetch(consent)).text())
  const scopes = [...page.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) => scope!)
  const back = yield* allowConsent(consent, username, scopes)
  let ended = yield* visit(back!, { headers: { cookie } })
  if (choose !== undefined) {
    const offer = yield* Effect.promise(() => ended.text())
    const hidden = [...offer.matchAll(/name="(ticket|cookie)" value="([^"]*)"/g)].map(
      ([, name, value]): [string, string] => [name!, value!]
    )
    ended = yield* visit(`${service.url}/oauth/callback/${platform}`, {
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams([
        ...hidden,
        ...choose.map((index): [string, string] => ["account", String(index)])
      ])
    })
  }
  const location = ended.headers.get("location")
  if (location === null) return yield* Effect.die(new Error(yield* Effect.promise(() => ended.text())))
  return location
})

/** Connects an account as a person does in the browser; the accounts' ids. */
export const connectInBrowser = Effect.fnUntraced(function* (
  platform: string,
  username: string,
  {
    login,
    choose,
    fields,
    headers
  }: {
    readonly login?: string
    readonly choose?: ReadonlyArray<number>
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
    ...(fields === undefined ? {} : { fields })
  }
  const { body } = yield* service.call("POST", "/v1/social-accounts/connect", wanted, headers)
  const end = new URL(yield* visitConsentPage(body.authorize_url, platform, { username, choose }))
    .searchParams
  if (end.get("status") !== "connected") return yield* Effect.die(new Error(String(end)))
  return end.getAll("social_account_id").map(Number)
})
