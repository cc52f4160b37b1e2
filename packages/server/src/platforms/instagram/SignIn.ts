import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpBody } from "effect/http"
import { type ConnectedAccount, type Credentials, type OAuthConnect, PublishError } from "../Platform.ts"
import { requireScopes } from "../GrantedScopes.ts"
import { type Refusal, type Refused, shortAnswer } from "../PlatformHttp.ts"
import type { InstagramCredentials } from "./Credentials.ts"
import type { Graph, InstagramApps, Login } from "./Graph.ts"
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
const TokenAnswer = Schema.Struct({
  access_token: Schema.String,
  /** Seconds. */
  expires_in: Schema.optionalKey(Schema.Finite)
})
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
const Paging = Schema.optionalKey(
  Schema.Struct({
    cursors: Schema.optionalKey(Schema.Struct({ after: Schema.optionalKey(Schema.String) })),
    next: Schema.optionalKey(Schema.String)
  })
)
const Pages = Schema.Struct({ data: Schema.Array(Page), paging: Paging })
const PagesOf = Schema.optionalKey(Schema.Struct({ data: Schema.Array(Page) }))
const Businesses = Schema.Struct({
  data: Schema.Array(Schema.Struct({ owned_pages: PagesOf, client_pages: PagesOf }))
})
const Permissions = Schema.Struct({
  data: Schema.Array(Schema.Struct({ permission: Schema.String, status: Schema.String }))
})
const User = Schema.Struct({ id: Schema.String })
const PageToken = Schema.Struct({ access_token: Schema.String })
const SignInError = Schema.Struct({ error_message: Schema.String })

const decodeSignInError = Schema.decodeUnknownOption(SignInError)

/** The scopes for publishing, and after them those of single options. */
const scopes: Readonly<
  Record<Login, { readonly needed: ReadonlyArray<string>; readonly wanted: ReadonlyArray<string> }>
> = {
  instagram: {
    needed: ["instagram_business_basic", "instagram_business_content_publish"],
    wanted: ["instagram_business_manage_comments"]
  },
  facebook: {
    needed: ["instagram_basic", "instagram_content_publish", "pages_show_list", "pages_read_engagement"],
    wanted: ["instagram_manage_comments"]
  }
}

const pageFields = "id,name,access_token,instagram_business_account{id,username,name,profile_picture_url}"

/** A token younger than this cannot be refreshed. */
const refreshAge = Duration.hours(24)

/** The two ways to connect an Instagram account. Neither has PKCE. */
export const instagramSignIn = (apps: InstagramApps, graph: Graph) => {
  const { call, get, secretly, appOf, version } = graph

  const withInstagram: OAuthConnect["exchange"] = Effect.fnUntraced(function* ({ redirect_uri, code }) {
    const app = yield* appOf("instagram")
    const secret = Redacted.value(app.secret)
    const given = firstOf(
      yield* secretly({
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
    if (given.permissions !== undefined)
      yield* requireScopes(scopes.instagram.needed, listOf(given.permissions))
    const long = yield* secretly({
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
        ...(yield* instagramTokens(long))
      }
    ]
  })

  const facebookToken = Effect.fnUntraced(function* (query: Readonly<Record<string, string>>) {
    const app = yield* appOf("facebook")
    const secret = Redacted.value(app.secret)
    return yield* secretly({
      method: "GET",
      url: `${app.at("graph.facebook.com")}/${version}/oauth/access_token`,
      query: { client_id: app.id, client_secret: secret, ...query },
      secrets: [secret, ...Object.values(query)],
      maxAnswerBytes: shortAnswer,
      answer: TokenAnswer,
      refuse: refuseSignIn
    })
  })

  const withFacebook: OAuthConnect["exchange"] = Effect.fnUntraced(function* ({ redirect_uri, code }) {
    const short = yield* facebookToken({ redirect_uri, code })
    const { access_token: token } = yield* facebookToken({
      grant_type: "fb_exchange_token",
      fb_exchange_token: short.access_token
    })
    const user = { login: "facebook", token } as const
    const { data: permissions } = yield* get(user, "me/permissions", {}, Permissions)
    const granted = permissions
      .filter(({ status }) => status === "granted")
      .map(({ permission }) => permission)
    yield* requireScopes(scopes.facebook.needed, granted)
    const { id: user_id } = yield* get(user, "me", { fields: "id" }, User)
    const pages = [
      ...(yield* ownPages(token)),
      ...(granted.includes("business_management") ? yield* businessPages(token) : [])
    ]
    const accounts = new Map(
      pages.flatMap((page) => {
        const found = connectedPage(page, { user_id, user_token: token })
        return found === undefined ? [] : [[found.remote_id, found] as const]
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

  /** Pages carry tokens, so unreadable ones are not quoted. */
  const readPages = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(
    token: string,
    path: string,
    query: Readonly<Record<string, string>>,
    answer: S,
    maxAnswerBytes: number
  ) {
    const app = yield* appOf("facebook")
    return yield* secretly({
      method: "GET",
      url: `${app.at("graph.facebook.com")}/${version}/${path}`,
      query,
      bearer: token,
      maxAnswerBytes,
      answer,
      refuse: refuseGraph
    })
  })

  const ownPages = Effect.fnUntraced(function* (token: string) {
    const pages: Array<Page> = []
    let after: string | undefined
    do {
      const { data, paging } = yield* readPages(
        token,
        "me/accounts",
        { fields: pageFields, limit: "100", ...(after === undefined ? {} : { after }) },
        Pages,
        pagesAnswer
      )
      pages.push(...data)
      after = paging?.next === undefined || data.length === 0 ? undefined : paging.cursors?.after
    } while (after !== undefined && pages.length < maximumPages)
    return pages
  })

  /** Pages that a business owns or works for, which the person need not have ticked. */
  const businessPages = (token: string) =>
    readPages(
      token,
      "me/businesses",
      { fields: `owned_pages{${pageFields}},client_pages{${pageFields}}` },
      Businesses,
      businessesAnswer
    ).pipe(
      Effect.map(({ data }) =>
        data.flatMap(({ owned_pages, client_pages }) => [
          ...(owned_pages?.data ?? []),
          ...(client_pages?.data ?? [])
        ])
      ),
      Effect.orElseSucceed((): ReadonlyArray<Page> => [])
    )

  const oauth: OAuthConnect = {
    logins: (["instagram", "facebook"] as const).filter((login) => apps[login] !== undefined),
    authorizeUrl: ({ login, redirect_uri, state }) => {
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
        scope: [...scopes[chosen].needed, ...scopes[chosen].wanted].join(","),
        state
      })}`
    },
    exchange: (request) => (request.login === "facebook" ? withFacebook(request) : withInstagram(request))
  }

  const refresh = Effect.fnUntraced(function* (stored: InstagramCredentials) {
    if (stored.login === "facebook") {
      const { access_token: user_token } = yield* facebookToken({
        grant_type: "fb_exchange_token",
        fb_exchange_token: stored.user_token
      })
      const page = yield* readPages(
        user_token,
        stored.page_id,
        { fields: "access_token" },
        PageToken,
        shortAnswer
      )
      return {
        credentials: pageCredentials(stored.page_id, page.access_token, { ...stored, user_token }),
        token_expires_at: null
      }
    }
    const age = DateTime.distance(DateTime.makeUnsafe(stored.issued_at), yield* DateTime.now)
    if (Duration.isLessThan(age, refreshAge)) {
      return yield* new PublishError({
        class: "reconnect",
        code: "token_refused",
        message:
          "Instagram does not accept the account's token, which is too young to be renewed: access was taken back. " +
          "Connect the account again."
      })
    }
    const app = yield* appOf("instagram")
    const renewed = yield* secretly({
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
    const app = yield* appOf("facebook")
    yield* call({
      method: "DELETE",
      url: `${app.at("graph.facebook.com")}/${version}/${stored.user_id ?? "me"}/permissions`,
      bearer: stored.user_token,
      maxAnswerBytes: shortAnswer,
      answer: Schema.Struct({ success: Schema.Literal(true) }),
      refuse: refuseGraph
    })
    return "revoked" as const
  })

  return { oauth, refresh, revoke }
}

const maximumPages = 1000
/** 100 Pages, each with a token, names and the address of a picture. */
const pagesAnswer = 1024 * 1024
/** 25 businesses with up to 50 Pages each. */
const businessesAnswer = 4 * 1024 * 1024

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
  return { credentials, token_expires_at: DateTime.add(now, { seconds: expires_in }) }
})

const pageCredentials = (
  page_id: string,
  token: string,
  {
    user_id,
    user_token
  }: Pick<Extract<InstagramCredentials, { login: "facebook" }>, "user_id" | "user_token">
): Credentials =>
  Redacted.make({
    login: "facebook",
    token,
    ...(user_id === undefined ? {} : { user_id }),
    user_token,
    page_id
  })

/** Undefined for a Page without an Instagram account, or without the person's right to publish. */
const connectedPage = (
  page: Page,
  user: { readonly user_id: string; readonly user_token: string }
): ConnectedAccount | undefined => {
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
      message: `Instagram refused the sign-in and says "${error_message}". Begin again; if it happens again, tell the operator.`
    })
  })
