import { Effect, Redacted, Schema } from "effect"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { requireScopes } from "../GrantedScopes.ts"
import type { ConsentRequest, Credentials, PublishError, Revocation } from "../Platform.ts"
import { shortAnswer } from "../PlatformHttp.ts"
import { type Graph, Paging } from "./Graph.ts"

/** A token that the Graph API gives for a code or for another token. */
export const TokenAnswer = Schema.Struct({
  access_token: Schema.String,
  /** Seconds. */
  expires_in: Schema.optionalKey(Schema.Finite)
})

const Permissions = Schema.Struct({
  data: Schema.Array(Schema.Struct({ permission: Schema.String, status: Schema.String }))
})
const User = Schema.Struct({ id: Schema.String })
const PageToken = Schema.Struct({ access_token: Schema.String })

const maximumPages = 1000
/** 100 Pages, each with a token, names and the address of a picture. */
const pagesAnswer = 1024 * 1024
const maximumBusinesses = 100
/** 10 businesses, each with up to 100 Pages of its own and 100 of its clients. */
const businessesAnswer = 4 * 1024 * 1024

/** A person's sign-in at Facebook, and the Pages that they allow. It has no PKCE. */
export const facebookLogin = <Login extends string>(
  { call, get, root, refuse }: Graph<Login | "facebook">,
  app: Effect.Effect<ConnectedApp, PublishError>
) => {
  const token = Effect.fnUntraced(function* (query: Readonly<Record<string, string>>) {
    const { id, secret: redacted } = yield* app
    const secret = Redacted.value(redacted)
    return yield* call({
      method: "GET",
      url: `${yield* root("facebook")}/oauth/access_token`,
      query: { client_id: id, client_secret: secret, ...query },
      secrets: [secret, ...Object.values(query)],
      maxAnswerBytes: shortAnswer,
      has_tokens: true,
      answer: TokenAnswer,
      refuse
    })
  })

  /** A token of about 60 days for another of the person's; a Page's token from it does not expire by itself. */
  const lasting = (fb_exchange_token: string) => token({ grant_type: "fb_exchange_token", fb_exchange_token })

  /** The person who comes back from the consent page, and what they allowed. */
  const signIn = Effect.fnUntraced(function* (
    { code, redirect_uri }: Pick<ConsentRequest, "redirect_uri"> & { readonly code: string },
    needed: ReadonlyArray<string>
  ) {
    const short = yield* token({ redirect_uri, code })
    const { access_token: user_token } = yield* lasting(short.access_token)
    const user = { login: "facebook", token: user_token } as const
    const { data } = yield* get(user, "me/permissions", {}, Permissions)
    const granted = data.filter(({ status }) => status === "granted").map(({ permission }) => permission)
    yield* requireScopes(needed, granted)
    const { id: user_id } = yield* get(user, "me", { fields: "id" }, User)
    return { granted, user_id, user_token }
  })

  /** Pages carry tokens, so unreadable ones are not quoted. */
  const readPages = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(
    user_token: string,
    path: string,
    query: Readonly<Record<string, string>>,
    answer: S,
    maxAnswerBytes: number
  ) {
    return yield* call({
      method: "GET",
      url: `${yield* root("facebook")}/${path}`,
      query,
      bearer: user_token,
      has_tokens: true,
      maxAnswerBytes,
      answer,
      refuse
    })
  })

  /** A list from its beginning, or from `after`, until there are at least `most`. */
  const readList = Effect.fnUntraced(function* <Item>(
    user_token: string,
    path: string,
    query: Readonly<Record<string, string>>,
    item: Schema.Codec<Item, unknown>,
    {
      maxAnswerBytes,
      most,
      ...from
    }: { readonly maxAnswerBytes: number; readonly most: number; readonly after?: string }
  ) {
    const found: Array<Item> = []
    let { after } = from
    do {
      const part = yield* readPages(
        user_token,
        path,
        { ...query, ...(after === undefined ? {} : { after }) },
        listOf(item),
        maxAnswerBytes
      )
      found.push(...part.data)
      after = nextIn(part)
    } while (after !== undefined && found.length < most)
    return found
  })

  /**
   * The Pages that the person allowed, with these fields; those of their businesses need not have been ticked, and are read
   * where the person allowed that. `own`: fields that a business does not have of a Page.
   */
  const pages = Effect.fnUntraced(function* <Page>(
    { granted, user_token }: { readonly granted: ReadonlyArray<string>; readonly user_token: string },
    fields: string,
    page: Schema.Codec<Page, unknown>,
    own: ReadonlyArray<string> = []
  ) {
    const PagesOf = Schema.optionalKey(listOf(page))
    const Business = Schema.Struct({ id: Schema.String, owned_pages: PagesOf, client_pages: PagesOf })
    const found = yield* readList(
      user_token,
      "me/accounts",
      { fields: [fields, ...own].join(","), limit: "100" },
      page,
      { maxAnswerBytes: pagesAnswer, most: maximumPages }
    )
    if (!granted.includes("business_management")) return found
    const edges = ["owned_pages", "client_pages"] as const
    const businesses = yield* readList(
      user_token,
      "me/businesses",
      { fields: ["id", ...edges.map((edge) => `${edge}.limit(100){${fields}}`)].join(","), limit: "10" },
      Business,
      { maxAnswerBytes: businessesAnswer, most: maximumBusinesses }
    ).pipe(Effect.orElseSucceed(() => []))
    const all = [...found]
    for (const business of businesses) {
      for (const edge of edges) {
        all.push(...(business[edge]?.data ?? []))
        const after = nextIn(business[edge])
        if (after === undefined || all.length >= maximumPages) continue
        const rest = readList(user_token, `${business.id}/${edge}`, { fields, limit: "100" }, page, {
          maxAnswerBytes: pagesAnswer,
          most: maximumPages - all.length,
          after
        })
        all.push(...(yield* Effect.orElseSucceed(rest, () => [])))
      }
    }
    return all
  })

  /** New tokens of the person and of their Page. */
  const renew = Effect.fnUntraced(function* (old: { readonly user_token: string; readonly page_id: string }) {
    const { access_token: user_token } = yield* lasting(old.user_token)
    const { access_token: page } = yield* readPages(
      user_token,
      old.page_id,
      { fields: "access_token" },
      PageToken,
      shortAnswer
    )
    return { user_token, token: page }
  })

  /** Takes back all that the person allowed this app, for all of their Pages. */
  const revoke = Effect.fnUntraced(function* (user_token: string, user_id: string) {
    yield* call({
      method: "DELETE",
      url: `${yield* root("facebook")}/${user_id}/permissions`,
      bearer: user_token,
      maxAnswerBytes: shortAnswer,
      answer: Schema.Struct({ success: Schema.Literal(true) }),
      refuse
    })
  })

  return { signIn, pages, renew, revoke }
}

const listOf = <Item>(item: Schema.Codec<Item, unknown>) =>
  Schema.Struct({ data: Schema.Array(item), paging: Paging })

/** Where a list goes on; undefined: it ends. */
const nextIn = (
  list: { readonly data: ReadonlyArray<unknown>; readonly paging?: typeof Paging.Type } | undefined
) => (list?.paging?.next === undefined || list.data.length === 0 ? undefined : list.paging.cursors?.after)

/** A person allows one app all of their Pages together, and their id at Facebook differs by app. */
export const samePerson: Revocation["shared"] = (one, other) => {
  const [mine, theirs] = [one, other].map(({ credentials }) => Redacted.value(credentials)) as [Held, Held]
  return mine["user_id"] !== undefined && mine["user_id"] === theirs["user_id"]
}
type Held = Redacted.Redacted.Value<Credentials>
