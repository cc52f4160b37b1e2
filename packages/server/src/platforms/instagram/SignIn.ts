import { askedScopes } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpBody } from "effect/http"
import { type ConnectedAccount, type Credentials, type OAuthConnect, PublishError } from "../Platform.ts"
import { requireScopes } from "../GrantedScopes.ts"
import { type Refusal, type Refused, shortAnswer } from "../PlatformHttp.ts"
import type { InstagramCredentials } from "./Credentials.ts"
import { facebookLogin, TokenAnswer } from "../meta/FacebookLogin.ts"
import type { InstagramApps, InstagramGraph, Login } from "./Graph.ts"
import { refuseGraph } from "./GraphErrors.ts"

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
const SignInError = Schema.Struct({ error_message: Schema.String })

const decodeSignInError = Schema.decodeUnknownOption(SignInError)

/** The scopes for publishing. */
const needed: Readonly<Record<Login, ReadonlyArray<string>>> = {
  instagram: ["instagram_business_basic", "instagram_business_content_publish"],
  facebook: ["instagram_basic", "instagram_content_publish", "pages_show_list", "pages_read_engagement"]
}

const pageFields = "id,name,access_token,instagram_business_account{id,username,name,profile_picture_url}"

/** A token younger than this cannot be refreshed. */
const refreshAge = Duration.hours(24)

/** The two ways to connect an Instagram account. Neither has PKCE. */
export const instagramSignIn = (apps: InstagramApps, graph: InstagramGraph) => {
  const { call, get, appOf, version } = graph

  const withInstagram: OAuthConnect["exchange"] = Effect.fnUntraced(function* ({ redirect_uri, code }) {
    const app = yield* appOf("instagram")
    const secret = Redacted.value(app.secret)
    const given = firstOf(
      yield* call({
        has_tokens: true,
        method: "POST",
        url: `${app.at("api.instagram.com")}/oauth/access_token`,
        body: HttpBody.urlParams({
          client_id: app.id,
          client_secret: secret,
          grant_type: "authorization_code",
          redirect_uri,
          // Meta adds #_ to the address; it is not part of the code.
          code: code.replace(/#_$/, "")
        }),
        secrets: [secret, code],
        maxAnswerBytes: shortAnswer,
        answer: CodeAnswer,
        refuse: refuseSignIn
      })
    )
    const granted = given.permissions === undefined ? undefined : listOf(given.permissions)
    if (granted !== undefined) yield* requireScopes(needed.instagram, granted)
    const long = yield* call({
      has_tokens: true,
      method: "GET",
      url: `${app.at("graph.instagram.com")}/access_token`,
      query: { grant_type: "ig_exchange_token", client_secret: secret, access_token: given.access_token },
      secrets: [secret, given.access_token],
      maxAnswerBytes: shortAnswer,
      answer: TokenAnswer,
      refuse: refuseSignIn
    })
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
        ...(granted === undefined ? {} : { scopes: granted }),
        ...(yield* instagramTokens(long))
      }
    ]
  })

  const facebook = facebookLogin(graph, appOf("facebook"))

  const withFacebook: OAuthConnect["exchange"] = Effect.fnUntraced(function* ({ redirect_uri, code }) {
    const short = yield* facebook.token({ redirect_uri, code })
    const { access_token: user_token } = yield* facebook.lasting(short.access_token)
    const { granted, id } = yield* facebook.person(user_token)
    yield* requireScopes(needed.facebook, granted)
    const user_id = yield* id
    const pages = yield* facebook.pages(user_token, pageFields, Page, granted.includes("business_management"))
    const accounts = new Map(
      pages.flatMap((page) => {
        const found = connectedPage(page, { user_id, user_token })
        return found === undefined ? [] : [[found.remote_id, { ...found, scopes: granted }] as const]
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
      const { access_token: user_token } = yield* facebook.lasting(stored.user_token)
      const token = yield* facebook.pageToken(user_token, stored.page_id)
      return {
        credentials: pageCredentials(stored.page_id, token, { ...stored, user_token }),
        token_expires_at: null
      }
    }
    const age = DateTime.distance(DateTime.makeUnsafe(stored.issued_at), yield* DateTime.now)
    if (Duration.isLessThan(age, refreshAge)) {
      return yield* new PublishError({
        class: "reconnect",
        code: "token_refused",
        message:
          "Instagram rejected the account's token, which is too new to be renewed: access was revoked. " +
          "Connect the account again."
      })
    }
    const app = yield* appOf("instagram")
    const renewed = yield* call({
      has_tokens: true,
      method: "GET",
      url: `${app.at("graph.instagram.com")}/refresh_access_token`,
      query: { grant_type: "ig_refresh_token", access_token: stored.token },
      secrets: [stored.token],
      maxAnswerBytes: shortAnswer,
      answer: TokenAnswer,
      refuse: refuseGraph
    })
    return yield* instagramTokens(renewed)
  })

  /** Only Facebook Login has a call for it: the person's permissions for this app are deleted. */
  const revoke = Effect.fnUntraced(function* (stored: InstagramCredentials) {
    if (stored.login === "instagram") return "not_offered" as const
    yield* facebook.revoke(stored.user_token, stored.user_id)
    return "revoked" as const
  })

  return { oauth, refresh, revoke }
}

const sixtyDays = 60 * 24 * 3600

const instagramTokens = Effect.fnUntraced(function* ({
  access_token,
  expires_in = sixtyDays
}: typeof TokenAnswer.Type) {
  const now = yield* DateTime.now
  const credentials: Credentials = Redacted.make({
    login: "instagram",
    token: access_token,
    issued_at: DateTime.formatIso(now)
  })
  // Only a token that still holds is renewed.
  const end = DateTime.add(now, { seconds: expires_in })
  return { credentials, token_expires_at: end, access_expires_at: end }
})

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
        credentials: pageCredentials(page.id, access_token, user),
        // A Page's token from a long-lived one does not expire by itself.
        token_expires_at: null
      }
}

const firstOf = <A extends object>(answer: A | { readonly data: readonly [A, ...Array<A>] }): A =>
  "data" in answer ? answer.data[0] : answer

const listOf = (permissions: string | ReadonlyArray<string>) =>
  typeof permissions === "string" ? permissions.split(/[\s,]+/) : permissions

const refuseSignIn = (refusal: Refusal): Refused =>
  Option.match(decodeSignInError(refusal.body), {
    onNone: () => refuseGraph(refusal),
    onSome: ({ error_message }) => ({
      class: "invalid",
      code: "sign_in_refused",
      message: `Instagram rejected the sign-in: "${error_message}". Start again; if it fails again, tell the operator.`
    })
  })
