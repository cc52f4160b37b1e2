import { ByteSize, Effect } from "effect"
import { avatarPath, displayName } from "../Avatar.ts"
import { type Arrived, Exchange } from "../Exchange.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorization, bearerOf } from "../oauth/Bearer.ts"
import { type Grant, Tokens } from "../oauth/Tokens.ts"
import { graphDialect, graphError, noObject } from "./GraphErrors.ts"
import { type Body, parametersOf, pickFields } from "./GraphParameters.ts"
import { facebookPlatform, invalidToken, type Login, loginOf, pageLifetimes } from "./MetaAuthorization.ts"

export const hosts = { instagram: "/graph.instagram.com", facebook: "/graph.facebook.com" } as const

/** Instagram with one of the two logins, or Facebook Pages. */
type Product = Login | "pages"
type Right = "read" | "publish" | "comment"

const needed: Readonly<Record<Product, Readonly<Record<Right, string>>>> = {
  instagram: {
    read: "instagram_business_basic",
    publish: "instagram_business_content_publish",
    comment: "instagram_business_manage_comments"
  },
  facebook: {
    read: "instagram_basic",
    publish: "instagram_content_publish",
    comment: "instagram_manage_comments"
  },
  pages: {
    read: "pages_read_engagement",
    publish: "pages_manage_posts",
    comment: "pages_manage_engagement"
  }
}

export interface Needs {
  readonly scope?: Right
  /** The path names what the token is for: `account`, that of Instagram, or `page`; `either` of them. */
  readonly own?: "account" | "page" | "either"
  /** The bytes of a form with files; a mebibyte by default. */
  readonly largest?: ByteSize.ByteSize
}

/** The ids of people, Pages and Instagram accounts, each of another kind, and the calls of those who have a token. */
export const graphCaller = Effect.gen(function* () {
  const exchange = yield* Exchange
  const tokens = yield* Tokens
  const store = yield* MediaStore
  const { url } = yield* NodeServer

  type Whose = Pick<Grant, "platform" | "account">
  const igId = ({ account, platform }: Whose) => tokens.accountId(platform, account)
  const userId = (whose: Whose) => `9${igId(whose)}`
  const pageId = (whose: Whose) => `1${igId(whose).slice(2)}`

  /** The calls at one host. A refusal of a script has the words of `platform`. */
  const endpointsAt = (login: Login, platform: Login = "instagram") => {
    const authorized = authorization(
      {
        platform: login === "instagram" ? "instagram" : facebookPlatform,
        owns: (grant) => loginOf(grant) === login,
        invalid: invalidToken
      },
      tokens
    )
    return exchange.endpoints({
      dialect: graphDialect(platform),
      caller: (arrived: Arrived, { largest = ByteSize.mebibytes(1), own, scope }: Needs) =>
        Effect.gen(function* () {
          const sent = yield* parametersOf(arrived, store, largest)
          const token = bearerOf(arrived.request) ?? sent.given.get("access_token") ?? ""
          const caller = yield* authorized(arrived, {}, token)
          const { grant } = caller
          const product = grant.platform === "facebook" ? "pages" : login
          if (scope !== undefined && !grant.scopes.includes(needed[product][scope])) {
            return yield* graphError("10", "Application does not have permission for this action", 403)
          }
          const { id = "" } = arrived.path
          const kind = product === "pages" ? "page" : "account"
          const isOther = own !== undefined && own !== "either" && own !== kind
          if (isOther || (own !== undefined && id !== "me" && id !== ownId(kind, grant))) {
            return yield* noObject(id)
          }
          if (scope === "publish" && own === "page" && !tasksOf(grant.account).includes("CREATE_CONTENT")) {
            return yield* graphError("200", "(#200) The user lacks the task CREATE_CONTENT on the Page", 403)
          }
          return { ...caller, ...sent, id }
        })
    })
  }
  const ownId = (own: "account" | "page", grant: Grant) => (own === "page" ? pageId(grant) : igId(grant))

  /** A Page of the person's with a token of its own. */
  const page = (account: string, grant: Grant, fields: ReadonlyArray<string>) => {
    const whose = { ...grant, account }
    const body = (access_token: string): Body => ({
      id: pageId(whose),
      name: `${displayName(account)} (Page)`,
      username: account,
      access_token,
      tasks: tasksOf(account),
      category: "Bells",
      link: `https://www.facebook.com/${pageId(whose)}`,
      picture: { data: { height: 50, is_silhouette: false, url: url() + avatarPath(account), width: 50 } },
      ...(account.endsWith("-read")
        ? {}
        : { instagram_business_account: { id: igId(whose), username: account } })
    })
    return fields.includes("access_token")
      ? Effect.map(tokens.issue(whose, pageLifetimes), ({ access_token }) =>
          pickFields(body(access_token), fields)
        )
      : Effect.succeed(pickFields(body(""), fields))
  }

  return { endpointsAt, igId, page, pageId, userId }
})

export type GraphEndpoint = ReturnType<Effect.Success<typeof graphCaller>["endpointsAt"]>

/** What a person may do with a Page; of `...-read` look at its figures alone. */
const tasksOf = (page: string): ReadonlyArray<string> =>
  page.endsWith("-read")
    ? ["ANALYZE"]
    : ["ADVERTISE", "ANALYZE", "CREATE_CONTENT", "MESSAGING", "MODERATE", "MANAGE"]
