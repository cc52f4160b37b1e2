import { askedScopes } from "@carillon/domain"
import { Effect, Redacted, Schema } from "effect"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { type ConnectedAccount, type Credentials, type Platform, PublishError } from "../Platform.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { facebookLogin, samePerson } from "../meta/FacebookLogin.ts"
import type { Graph } from "../meta/Graph.ts"

/** The token of a Page, and the person's that renews it. */
const FacebookCredentials = Schema.Struct({
  token: Schema.String,
  page_id: Schema.String,
  user_id: Schema.String,
  user_token: Schema.String
})
type FacebookCredentials = typeof FacebookCredentials.Type

export const readCredentials = decodeCredentials(FacebookCredentials, "Facebook")

const login = "facebook_pages"

/** The scopes for publishing. */
const needed = ["pages_show_list", "pages_read_engagement", "pages_manage_posts"]
/** With it, Pages of a business are offered too. */
const ofBusinesses = "business_management"

const Page = Schema.Struct({
  id: Schema.String,
  name: Schema.optionalKey(Schema.String),
  username: Schema.optionalKey(Schema.String),
  access_token: Schema.optionalKey(Schema.String),
  /** What the person may do there; a business does not say. */
  tasks: Schema.optionalKey(Schema.Array(Schema.String)),
  picture: Schema.optionalKey(
    Schema.Struct({ data: Schema.optionalKey(Schema.Struct({ url: Schema.optionalKey(Schema.String) })) })
  )
})
type Page = typeof Page.Type

/** A person connects the Pages for which they may publish. There is no PKCE. */
export const facebookSignIn = (
  app: ConnectedApp,
  graph: Graph<"facebook">,
  version: string
): Required<Pick<Platform, "oauth" | "revocation" | "refresh">> => {
  const facebook = facebookLogin(graph, Effect.succeed(app))

  return {
    oauth: {
      logins: [login],
      authorizeUrl: ({ permissions = [], redirect_uri, state }) =>
        `${app.at("www.facebook.com")}/${version}/dialog/oauth?${new URLSearchParams({
          client_id: app.id,
          redirect_uri,
          response_type: "code",
          scope: [...needed, ofBusinesses, ...askedScopes("facebook", login, permissions)].join(","),
          state
        })}`,
      exchange: Effect.fn("Facebook.exchange")(function* (request) {
        const user = yield* facebook.signIn(request, needed)
        const pages = yield* facebook.pages(user, "id,name,username,access_token,picture{url}", Page, [
          "tasks"
        ])
        // What the person's own list says of a Page counts, also if a business has it too.
        const byId = new Map(pages.toReversed().map((page) => [page.id, page]))
        const accounts = [...byId.values()].reverse().flatMap((page) => connectedPage(page, user))
        return accounts.length === 0 ? yield* noPages : accounts
      })
    },

    revocation: {
      shared: samePerson,
      beside: ["instagram"],
      revoke: Effect.fn("Facebook.revoke")(function* (credentials) {
        const { user_id, user_token } = yield* readCredentials(credentials)
        yield* facebook.revoke(user_token, user_id)
        return "revoked" as const
      })
    },

    refresh: Effect.fn("Facebook.refresh")(function* (credentials) {
      const stored = yield* readCredentials(credentials)
      const renewed = yield* facebook.renew(stored)
      return { credentials: Redacted.make({ ...stored, ...renewed }), token_expires_at: null }
    })
  }
}

/** Any of them lets a person publish; Pages of the newer kind have names of their own. */
const publishing: ReadonlySet<string> = new Set([
  "CREATE_CONTENT",
  "MANAGE",
  "PROFILE_PLUS_CREATE_CONTENT",
  "PROFILE_PLUS_FULL_CONTROL"
])

/** None for a Page on which the person may not publish. */
const connectedPage = (
  { access_token: token, id, name, picture, tasks, username }: Page,
  {
    granted,
    user_id,
    user_token
  }: Pick<FacebookCredentials, "user_id" | "user_token"> & {
    readonly granted: ReadonlyArray<string>
  }
): ReadonlyArray<ConnectedAccount> => {
  if (token === undefined || tasks?.some((task) => publishing.has(task)) === false) return []
  const credentials: Credentials = Redacted.make({ token, page_id: id, user_id, user_token })
  return [
    {
      remote_id: id,
      username: username ?? name ?? id,
      display_name: name ?? null,
      avatar_url: picture?.data?.url ?? null,
      credentials,
      // A Page's token from a long-lived one does not expire by itself.
      token_expires_at: null,
      scopes: granted
    }
  ]
}

const noPages = new PublishError({
  class: "invalid",
  code: "no_accounts",
  message:
    "You allowed no Page on which you may publish. Allow one, or ask its administrator for the task Content (CREATE_CONTENT), and connect again."
})
