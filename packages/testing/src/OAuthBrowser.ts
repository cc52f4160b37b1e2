import { Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { until } from "./Until.ts"
import { bootstrapKey, type ServiceProcess } from "./ServiceProcess.ts"

export const ownerName = "Olive"
export const ownerPassword = "correct horse battery"
export const redirect = "http://127.0.0.1:9/callback"

interface Visit {
  readonly status: number
  readonly headers: Headers
  readonly location: string | null
  readonly html: string
}

/** A browser without JavaScript: it keeps cookies, follows nothing by itself, and fills in forms. */
export class PlainBrowser {
  readonly cookies = new Map<string, string>()
  readonly base: string

  constructor(base: string) {
    this.base = base
  }

  async visit(path: string, init: RequestInit = {}): Promise<Visit> {
    const response = await fetch(new URL(path, this.base), {
      redirect: "manual",
      ...init,
      headers: {
        accept: "text/html",
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...init.headers
      }
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === "" || /expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get("location"),
      html: await response.text()
    }
  }

  /** The session that the cookie holds. */
  get session() {
    return this.cookies.get(this.#sessionCookie)
  }

  set session(token) {
    this.cookies.set(this.#sessionCookie, token ?? "")
  }

  get #sessionCookie() {
    const { port, protocol } = new URL(this.base)
    return protocol === "https:" ? "__Host-carillon_session" : `carillon_session_${port}`
  }

  /** Sends a form's hidden fields with these. */
  post(path: string, html: string, fields: ReadonlyArray<readonly [string, string]>): Promise<Visit> {
    const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name, value]): [string, string] => [name!, value!.replaceAll("&quot;", '"')]
    )
    const named = new Set(fields.map(([name]) => name))
    return this.visit(path, {
      method: "POST",
      body: new URLSearchParams([
        ...hidden.filter(([name]) => !named.has(name)),
        ...fields.map(([name, value]): [string, string] => [name, value])
      ])
    })
  }
}

/** All that a page has ticked, as a browser sends it. */
export const tickedOf = (html: string): ReadonlyArray<readonly [string, string]> =>
  [...html.matchAll(/<input type="(?:checkbox|radio)" name="([^"]+)" value="([^"]*)" checked/g)].map(
    ([, name, value]) => [name!, value!] as const
  )

/** All that an app asks for, ticked or not, with what is ticked besides. */
export const allAskedOf = (html: string): ReadonlyArray<readonly [string, string]> => [
  ...tickedOf(html).filter(([name]) => name !== "scope"),
  ...[...html.matchAll(/<input type="checkbox" name="scope" value="([^"]*)"/g)].map(
    ([, scope]) => ["scope", scope!] as const
  )
]

type Started = Pick<ServiceProcess, "url" | "output">

export const welcomeLink = (service: Pick<Started, "output">) => {
  const link = service
    .output()
    .match(/http\S+\/welcome\/\S+/g)
    ?.at(-1)
  if (link === undefined) throw new Error(`no link in:\n${service.output()}`)
  return link
}

/** A browser in which the owner has just signed in; the account is made on the first call. */
export const signedInBrowser = async (service: Started) => {
  const browser = new PlainBrowser(service.url)
  const link = welcomeLink(service)
  const welcome = await browser.visit(link)
  const fields = [
    ["name", ownerName],
    ["password", ownerPassword]
  ] as const
  if (welcome.status === 200) {
    await browser.post(link, welcome.html, fields)
  } else {
    const page = await browser.visit("/sign-in")
    await browser.post("/sign-in", page.html, fields)
  }
  if (browser.session === undefined) throw new Error("not signed in")
  return browser
}

export const register = async (
  url: string,
  metadata: Record<string, unknown> = {}
): Promise<{ readonly status: number; readonly body: any }> => {
  const response = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Test app", redirect_uris: [redirect], ...metadata })
  })
  return { status: response.status, body: await response.json() }
}

export const pkce = () => {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

export const authorizePath = (parameters: Record<string, string | undefined>) => {
  const given = Object.entries({ response_type: "code", ...parameters }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined
  )
  return `/oauth/authorize?${new URLSearchParams(given)}`
}

export const token = async (url: string, parameters: Record<string, string>, path = "/oauth/token") => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(parameters)
  })
  const text = await response.text()
  return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as any }
}

export interface Connected {
  readonly client_id: string
  readonly verifier: string
  readonly code: string
  readonly tokens: {
    readonly access_token: string
    readonly refresh_token: string
    readonly scope: string
    readonly expires_in: number
  }
}

export interface ConnectOptions {
  readonly client_id?: string
  readonly redirect_uri?: string
  readonly scope?: string
  readonly resource?: string
  /** The fields to send instead of everything that was asked for. */
  readonly choose?: (html: string) => ReadonlyArray<readonly [string, string]>
}

/** The consent page of a request that was just begun in this browser. */
export const consentPage = async (
  browser: PlainBrowser,
  path: string
): Promise<Visit & { readonly path: string }> => {
  const begun = await browser.visit(path)
  if (begun.location === null) throw new Error(`${begun.status}: ${begun.html}`)
  return { path: new URL(begun.location, browser.base).pathname, ...(await browser.visit(begun.location)) }
}

/** To the end of the redirects inside the service: where the app is sent. */
export const followToApp = async (browser: PlainBrowser, answered: Visit) => {
  if (answered.location === null) throw new Error(`${answered.status}: ${answered.html}`)
  const resumed = await browser.visit(answered.location)
  if (resumed.location === null) throw new Error(`${resumed.status}: ${resumed.html}`)
  return new URL(resumed.location)
}

/** The person allows everything that an app asks for at this address; where the app is answered. */
export const allowsAll = async (browser: PlainBrowser, address: string) => {
  const { pathname, search } = new URL(address)
  const page = await consentPage(browser, pathname + search)
  return followToApp(
    browser,
    await browser.post(page.path, page.html, [...allAskedOf(page.html), ["decision", "allow"]])
  )
}

/** Calls as a page of the service does, in the default workspace. */
export const asMember = async (browser: PlainBrowser, method: string, path: string, body?: object) => {
  const { id } = (await callWith(browser.base, bootstrapKey, "/v1/profile")).body
  const { html, status } = await browser.visit(path, {
    method,
    headers: {
      origin: browser.base,
      "carillon-workspace": id,
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status, body: JSON.parse(html) }
}

/** The apps that the person connected, last used first. */
export const connectedApps = async (browser: PlainBrowser): Promise<ReadonlyArray<any>> =>
  (await asMember(browser, "GET", "/v1/connected-apps")).body.data

/** The app that was used last. */
export const latestApp = async (browser: PlainBrowser) => (await connectedApps(browser))[0]

export const changesApp = (browser: PlainBrowser, { id }: { readonly id: string }, changes: object) =>
  asMember(browser, "PATCH", `/v1/connected-apps/${id}`, changes)

export const disconnectsApp = (browser: PlainBrowser, { id }: { readonly id: string }) =>
  asMember(browser, "DELETE", `/v1/connected-apps/${id}`)

/** From registration to tokens, as an app with a person before a browser. */
export const connectApp = async (browser: PlainBrowser, options: ConnectOptions = {}): Promise<Connected> => {
  const redirect_uri = options.redirect_uri ?? redirect
  const client_id =
    options.client_id ??
    ((await register(browser.base, { redirect_uris: [redirect_uri] })).body.client_id as string)
  const { verifier, challenge } = pkce()
  const page = await consentPage(
    browser,
    authorizePath({
      client_id,
      redirect_uri,
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: "a-state",
      scope: options.scope,
      resource: options.resource
    })
  )
  const answered = await browser.post(page.path, page.html, [
    ...(options.choose ?? allAskedOf)(page.html),
    ["decision", "allow"]
  ])
  const back = await followToApp(browser, answered)
  const code = back.searchParams.get("code")
  if (code === null) throw new Error(String(back))
  const { body } = await token(browser.base, {
    grant_type: "authorization_code",
    client_id,
    code,
    redirect_uri,
    code_verifier: verifier
  })
  if (body.access_token === undefined) throw new Error(JSON.stringify(body))
  return { client_id, verifier, code, tokens: body }
}

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

/** A program that shows a code begins. */
export const beginDevice = async (url: string, more: Record<string, string> = {}) => {
  const asked = { client_id: "carillon-cli", resource: `${url}/v1`, ...more }
  return (await token(url, asked, "/oauth/device")).body as {
    readonly device_code: string
    readonly user_code: string
    readonly verification_uri: string
    readonly verification_uri_complete: string
    readonly expires_in: number
    readonly interval: number
  }
}

/** It asks whether its code was answered. */
export const pollDevice = (url: string, device_code: string, client_id = "carillon-cli") =>
  token(url, { grant_type: deviceGrant, client_id, device_code })

/** The page on which a person answers a code, after they have typed it. */
export const devicePage = async (browser: PlainBrowser, user_code: string) => {
  const { html } = await browser.visit("/device")
  return browser.post("/device", html, [["user_code", user_code]])
}

export const answerDevice = async (
  browser: PlainBrowser,
  user_code: string,
  decision: "allow" | "deny",
  choose: ConnectOptions["choose"] = tickedOf
) => {
  const { html } = await devicePage(browser, user_code)
  return browser.post("/device/answer", html, [...choose(html), ["decision", decision]])
}

export const refresh = (
  url: string,
  { client_id }: { client_id: string },
  refresh_token: string,
  more = {}
) => token(url, { grant_type: "refresh_token", client_id, refresh_token, ...more })

/** A call of the REST API with an access token; the status. */
export const callWith = async (
  url: string,
  accessToken: string,
  path = "/v1/posts",
  init: RequestInit = {}
) => {
  const response = await fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json", ...init.headers }
  })
  return { status: response.status, body: (await response.json()) as any }
}

/** Every process hears of a change within a second; a machine that stands still, later. */
export const eventually = (holds: () => Promise<boolean>) =>
  until("it to hold", 60_000, async () => ((await holds()) ? true : undefined))

export const eventuallyRefused = async (url: string, accessToken: string) => {
  await eventually(async () => (await callWith(url, accessToken)).status === 401)
  return callWith(url, accessToken)
}

export const promised = <A>(promise: () => Promise<A>) => Effect.promise(promise)
