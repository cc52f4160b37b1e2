import { DateTime, Effect, Redacted, Schema } from "effect"
import { HttpBody } from "effect/http"
import { accessEnd } from "../AccessEnd.ts"
import { appOfLogin } from "../AppOfLogin.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { requireScopes } from "../GrantedScopes.ts"
import {
  type ConnectedAccount,
  type ConsentRequest,
  type Credentials,
  type Platform,
  PublishError
} from "../Platform.ts"
import { shortAnswer } from "../PlatformHttp.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { refuseApi, refuseTokens } from "./LinkedInErrors.ts"
import type { LinkedInRest } from "./LinkedInRest.ts"

const Login = Schema.Literals(["linkedin", "linkedin_pages"])
type Login = typeof Login.Type

/** The app of each login that is set up here: LinkedIn lets no app have both products. */
export type LinkedInApps = Readonly<Partial<Record<Login, ConnectedApp>>>

const LinkedInCredentials = Schema.Struct({
  login: Login,
  access_token: Schema.String,
  /** Only apps of LinkedIn's programs get one. */
  refresh_token: Schema.optionalKey(Schema.String),
  /** The URN of the person who signed in; left out where LinkedIn did not say. */
  member: Schema.optionalKey(Schema.String)
})
type LinkedInCredentials = typeof LinkedInCredentials.Type

export const readCredentials = decodeCredentials(LinkedInCredentials, "LinkedIn")

const scopes: Readonly<Record<Login, ReadonlyArray<string>>> = {
  linkedin: ["openid", "profile", "w_member_social"],
  linkedin_pages: ["w_organization_social", "r_organization_social", "rw_organization_admin"]
}

const Tokens = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.optionalKey(Schema.String),
  /** Seconds. */
  expires_in: Schema.Finite,
  refresh_token_expires_in: Schema.optionalKey(Schema.Finite),
  scope: Schema.optionalKey(Schema.String)
})
const Person = Schema.Struct({
  sub: Schema.String,
  name: Schema.optionalKey(Schema.String),
  picture: Schema.optionalKey(Schema.String)
})
const Role = Schema.Struct({
  organization: Schema.String,
  role: Schema.String,
  roleAssignee: Schema.optionalKey(Schema.String)
})
const Roles = Schema.Struct({ elements: Schema.Array(Role) })
const Organization = Schema.Struct({
  localizedName: Schema.optionalKey(Schema.String),
  vanityName: Schema.optionalKey(Schema.String)
})

/** LinkedIn's pages have two names for the second. */
const mayPublish = ["ADMINISTRATOR", "CONTENT_ADMINISTRATOR", "CONTENT_ADMIN"]

const pageSize = 100
const mostRoles = 1000
const rolesAnswer = pageSize * 4 * 1024
/** A page with its descriptions in many languages. */
const organizationAnswer = 256 * 1024

/** A person connects their own profile, or the pages that they may publish for. There is no PKCE. */
export const linkedInSignIn = (
  apps: LinkedInApps,
  { call, rest }: LinkedInRest
): Required<Pick<Platform, "oauth" | "revocation" | "refresh">> => {
  const logins = Login.literals.filter((login) => apps[login] !== undefined)

  const appOf = (login: Login) =>
    appOfLogin(apps, login, `LinkedIn ${login === "linkedin" ? "profiles" : "pages"}`)

  const tokens = Effect.fnUntraced(function* (
    login: Login,
    form: Readonly<Record<string, string>>
  ): Effect.fn.Return<
    typeof Tokens.Type & {
      readonly granted: ReadonlyArray<string>
      readonly expiry: Pick<ConnectedAccount, "token_expires_at" | "access_expires_at">
    },
    PublishError
  > {
    const app = yield* appOf(login)
    const secret = Redacted.value(app.secret)
    const given = yield* call({
      method: "POST",
      url: `${app.at("www.linkedin.com")}/oauth/v2/accessToken`,
      body: HttpBody.urlParams({ ...form, client_id: app.id, client_secret: secret }),
      secrets: [secret, ...Object.values(form)],
      maxAnswerBytes: shortAnswer,
      has_tokens: true,
      answer: Tokens,
      refuse: refuseTokens
    })
    const end = DateTime.add(yield* DateTime.now, { seconds: given.expires_in })
    return {
      ...given,
      granted: (given.scope ?? "").split(/[\s,]+/),
      expiry:
        given.refresh_token === undefined
          ? // Nobody renews it ahead of its end.
            { token_expires_at: null, access_expires_at: end }
          : { token_expires_at: end, ...(yield* accessEnd(given.refresh_token_expires_in)) }
    }
  })

  const credentialsOf = (
    login: Login,
    { access_token, refresh_token }: typeof Tokens.Type,
    member: string | undefined
  ): Credentials =>
    Redacted.make({
      login,
      access_token,
      ...(refresh_token === undefined ? {} : { refresh_token }),
      ...(member === undefined ? {} : { member })
    })

  const profile = Effect.fnUntraced(function* (app: ConnectedApp, bearer: string) {
    const { name, picture, sub } = yield* call({
      method: "GET",
      url: `${app.at("api.linkedin.com")}/v2/userinfo`,
      bearer,
      maxAnswerBytes: shortAnswer,
      answer: Person,
      refuse: refuseApi
    })
    const urn = `urn:li:person:${sub}`
    return { urn, name: name?.trim() || urn, picture: picture ?? null }
  })

  /** The organizations that the person may publish for, each once. */
  const organizations = Effect.fnUntraced(function* (bearer: string) {
    const found = new Map<string, string | undefined>()
    for (let start = 0; start < mostRoles; start += pageSize) {
      const { elements } = yield* rest({
        method: "GET",
        path: "organizationAcls",
        query: { q: "roleAssignee", state: "APPROVED", start: String(start), count: String(pageSize) },
        headers: { "x-restli-method": "FINDER" },
        bearer,
        maxAnswerBytes: rolesAnswer,
        answer: Roles
      })
      for (const { organization, role, roleAssignee } of elements)
        if (mayPublish.includes(role)) found.set(organization, roleAssignee)
      if (elements.length < pageSize) break
    }
    return yield* Effect.forEach(
      found,
      ([urn, member]) =>
        rest({
          method: "GET",
          path: `organizations/${encodeURIComponent(urn.split(":").at(-1)!)}`,
          bearer,
          maxAnswerBytes: organizationAnswer,
          answer: Organization
        }).pipe(
          Effect.map(({ localizedName, vanityName }) => ({
            urn,
            member,
            username: vanityName ?? localizedName ?? urn,
            display_name: localizedName ?? null
          }))
        ),
      { concurrency: 4 }
    )
  })

  const exchange = Effect.fnUntraced(function* ({
    code,
    login: chosen,
    redirect_uri
  }: ConsentRequest & { readonly code: string }): Effect.fn.Return<
    ReadonlyArray<ConnectedAccount>,
    PublishError
  > {
    const login = chosen === "linkedin_pages" ? chosen : "linkedin"
    const given = yield* tokens(login, { grant_type: "authorization_code", code, redirect_uri })
    yield* requireScopes(scopes[login], given.granted)
    if (login === "linkedin") {
      const { name, picture, urn } = yield* profile(yield* appOf(login), given.access_token)
      return [
        {
          remote_id: urn,
          username: name,
          display_name: name,
          avatar_url: picture,
          credentials: credentialsOf(login, given, urn),
          ...given.expiry,
          limits: { organization: false }
        }
      ]
    }
    const pages = yield* organizations(given.access_token)
    if (pages.length === 0) return yield* noPages
    return pages.map(({ display_name, member, urn, username }) => ({
      remote_id: urn,
      username,
      display_name,
      avatar_url: null,
      credentials: credentialsOf(login, given, member),
      ...given.expiry,
      limits: { organization: true }
    }))
  })

  return {
    oauth: {
      logins,
      authorizeUrl: ({ login, redirect_uri, state }) => {
        const chosen = login === "linkedin_pages" ? login : "linkedin"
        const app = apps[chosen]!
        const query = new URLSearchParams({
          response_type: "code",
          client_id: app.id,
          redirect_uri,
          state,
          scope: scopes[chosen].join(" ")
        })
        return `${app.at("www.linkedin.com")}/oauth/v2/authorization?${query.toString().replaceAll("+", "%20")}`
      },
      exchange: Effect.fn("LinkedIn.exchange")(exchange)
    },

    revocation: {
      shared: (one, other) => {
        const [mine, theirs] = [one, other].map(({ credentials }) => Redacted.value(credentials)) as [
          Held,
          Held
        ]
        return (
          mine["login"] === theirs["login"] &&
          (mine["member"] === undefined ||
            theirs["member"] === undefined ||
            mine["member"] === theirs["member"])
        )
      },
      revoke: Effect.fn("LinkedIn.revoke")(function* (credentials) {
        const { access_token: token, login } = yield* readCredentials(credentials)
        const app = yield* appOf(login)
        const client_secret = Redacted.value(app.secret)
        yield* call({
          method: "POST",
          url: `${app.at("www.linkedin.com")}/oauth/v2/revoke`,
          body: HttpBody.urlParams({ client_id: app.id, client_secret, token }),
          secrets: [client_secret, token],
          format: "text",
          maxAnswerBytes: shortAnswer,
          answer: Schema.String,
          refuse: refuseTokens
        })
        return "revoked" as const
      })
    },

    refresh: Effect.fn("LinkedIn.refresh")(function* (credentials) {
      const { login, member, refresh_token } = yield* readCredentials(credentials)
      if (refresh_token === undefined) return yield* accessEnded
      const given = yield* tokens(login, { grant_type: "refresh_token", refresh_token })
      return {
        ...given.expiry,
        credentials: credentialsOf(login, { refresh_token, ...given }, member)
      }
    })
  }
}

type Held = Redacted.Redacted.Value<Credentials>

const accessEnded = new PublishError({
  class: "reconnect",
  code: "access_ended",
  message:
    "LinkedIn no longer accepts the account's access, which lasts about 60 days and cannot be renewed with this app. Connect the account again."
})

const noPages = new PublishError({
  class: "invalid",
  code: "no_accounts",
  message:
    "You are neither administrator nor content administrator of a LinkedIn page. Ask an administrator of the page for one of these roles, then connect again."
})
