import { type AccountLimits, askedScopes } from "@carillon/domain"
import { Effect, Redacted, Schema } from "effect"
import { type ConnectedAccount, type Credentials, type OAuthConnect, PublishError } from "../Platform.ts"
import { requireScopes } from "../GrantedScopes.ts"
import type { InstagramCredentials } from "./Credentials.ts"
import { facebookLogin } from "../meta/FacebookLogin.ts"
import { longLivedTokens } from "../meta/LongLivedToken.ts"
import type { InstagramApps, InstagramGraph, Login } from "./Graph.ts"

const Id = Schema.Union([Schema.String, Schema.Finite])

/** Documents disagree on whether the answer is inside of `data`. */
const maybeInData = <S extends Schema.Constraint>(schema: S) =>
  Schema.Union([Schema.Struct({ data: Schema.NonEmptyArray(schema) }), schema])

const CodeAnswer = maybeInData(
  Schema.Struct({
    access_token: Schema.String,
    permissions: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]))
  })
)
const Me = maybeInData(
  Schema.Struct({
    user_id: Id,
    username: Schema.String,
    name: Schema.optionalKey(Schema.String),
    profile_picture_url: Schema.optionalKey(Schema.String)
  })
)
const Page = Schema.Struct({
  id: Schema.String,
  name: Schema.optionalKey(Schema.String),
  access_token: Schema.optionalKey(Schema.String),
  instagram_business_account: Schema.optionalKey(
    Schema.Struct({
      id: Schema.String,
      username: Schema.String,
      name: Schema.optionalKey(Schema.String),
      profile_picture_url: Schema.optionalKey(Schema.String)
    })
  )
})
type Page = typeof Page.Type

/** The scopes for publishing. */
const needed: Readonly<Record<Login, ReadonlyArray<string>>> = {
  instagram: ["instagram_business_basic", "instagram_business_content_publish"],
  facebook: ["instagram_basic", "instagram_content_publish", "pages_show_list", "pages_read_engagement"]
}

const pageFields = "id,name,access_token,instagram_business_account{id,username,name,profile_picture_url}"

/** The two ways to connect an Instagram account. Neither has PKCE. */
export const instagramSignIn = (apps: InstagramApps, graph: InstagramGraph) => {
  const { get, appOf, version } = graph

  const tokens = longLivedTokens(graph, {
    name: "Instagram",
    login: "instagram",
    codeHost: "api.instagram.com",
    host: "graph.instagram.com",
    grant: "ig"
  })

  const withInstagram: OAuthConnect["exchange"] = Effect.fnUntraced(function* (request) {
    const app = yield* appOf("instagram")
    const given = firstOf(yield* tokens.ofCode(app, request, CodeAnswer))
    const granted = given.permissions === undefined ? undefined : listOf(given.permissions)
    if (granted !== undefined) yield* requireScopes(needed.instagram, granted)
    const long = yield* tokens.lasting(app, given.access_token)
    const me = firstOf(
      yield* get(
        { login: "instagram", token: long.access_token },
        "me",
        { fields: "user_id,username,name,profile_picture_url" },
        Me
      )
    )
    return [
      {
        remote_id: String(me.user_id),
        username: me.username,
        display_name: me.name ?? null,
        avatar_url: me.profile_picture_url ?? null,
        limits: limitsOf("instagram"),
        ...(granted === undefined ? {} : { scopes: granted }),
        ...(yield* tokens.issued(long))
      }
    ]
  })

  const facebook = facebookLogin(graph, appOf("facebook"))

  const withFacebook: OAuthConnect["exchange"] = Effect.fnUntraced(function* (request) {
    const user = yield* facebook.signIn(request, needed.facebook)
    const pages = yield* facebook.pages(user, pageFields, Page)
    const accounts = new Map(
      pages.flatMap((page) => {
        const found = connectedPage(page, user)
        return found === undefined ? [] : [[found.remote_id, { ...found, scopes: user.granted }] as const]
      })
    )
    if (accounts.size > 0) return [...accounts.values()]
    return yield* new PublishError({
      class: "invalid",
      code: "no_accounts",
      message:
        "None of the Pages that you allowed has an Instagram professional account. Link one to the Page in Instagram's " +
        "settings, or allow the Page that has it."
    })
  })

  const oauth: OAuthConnect = {
    logins: (["instagram", "facebook"] as const).filter((login) => apps[login] !== undefined),
    authorizeUrl: ({ login, permissions = [], redirect_uri, state }) => {
      const chosen = login === "facebook" ? "facebook" : "instagram"
      const app = apps[chosen]!
      const page =
        chosen === "facebook"
          ? `${app.at("www.facebook.com")}/${version}/dialog/oauth`
          : `${app.at("www.instagram.com")}/oauth/authorize`
      return `${page}?${new URLSearchParams({
        client_id: app.id,
        redirect_uri,
        response_type: "code",
        scope: [...needed[chosen], ...askedScopes("instagram", chosen, permissions)].join(","),
        state
      })}`
    },
    exchange: (request) => (request.login === "facebook" ? withFacebook(request) : withInstagram(request))
  }

  const refresh = Effect.fnUntraced(function* (stored: InstagramCredentials) {
    if (stored.login === "facebook") {
      const { token, user_token } = yield* facebook.renew(stored)
      return {
        credentials: pageCredentials(stored.page_id, token, { ...stored, user_token }),
        token_expires_at: null
      }
    }
    return yield* tokens.renewed(appOf("instagram"), stored)
  })

  /** Only Facebook Login has a call for it: the person's permissions for this app are deleted. */
  const revoke = Effect.fnUntraced(function* (stored: InstagramCredentials) {
    if (stored.login === "instagram") return "not_offered" as const
    yield* facebook.revoke(stored.user_token, stored.user_id)
    return "revoked" as const
  })

  return { oauth, refresh, revoke }
}

/** What the options of an account depend on. */
export const limitsOf = (login: Login): AccountLimits => ({ facebook_login: login === "facebook" })

const pageCredentials = (
  page_id: string,
  token: string,
  { user_id, user_token }: FacebookUser
): Credentials => Redacted.make({ login: "facebook", token, user_id, user_token, page_id })

interface FacebookUser {
  readonly user_id: string
  readonly user_token: string
}

/** Undefined for a Page without an Instagram account, or without the person's right to publish. */
const connectedPage = (page: Page, user: FacebookUser): ConnectedAccount | undefined => {
  const { instagram_business_account: account, access_token } = page
  return account === undefined || access_token === undefined
    ? undefined
    : {
        remote_id: account.id,
        username: account.username,
        display_name: account.name ?? page.name ?? null,
        avatar_url: account.profile_picture_url ?? null,
        limits: limitsOf("facebook"),
        credentials: pageCredentials(page.id, access_token, user),
        // A Page's token from a long-lived one does not expire by itself.
        token_expires_at: null
      }
}

const firstOf = <A extends object>(answer: A | { readonly data: readonly [A, ...Array<A>] }): A =>
  "data" in answer ? answer.data[0] : answer

const listOf = (permissions: string | ReadonlyArray<string>) =>
  typeof permissions === "string" ? permissions.split(/[\s,]+/) : permissions
