/**
 * Facebook Login and what a person has at `graph.facebook.com`, for Instagram accounts and for Pages alike; `{v}` is a
 * version such as `v25.0`. A grant with a scope of Instagram's is one of Instagram's, every other one of Facebook's.
 *
 * `GET /www.facebook.com/{v}/dialog/oauth` is the consent page, with commas between the scopes and without PKCE;
 * `GET /graph.facebook.com/{v}/oauth/access_token`: `code`, `grant_type=fb_exchange_token&fb_exchange_token=`,
 *   or `grant_type=client_credentials`
 * `GET /graph.facebook.com/{v}/me/permissions`: `{ data: [{ permission, status }] }`; `DELETE` of the same, or with the
 *   person's id instead of `me`: `{ success: true }`, and no token of the person or of a Page of theirs works any more
 * `GET /graph.facebook.com/{v}/me/accounts?fields=&limit=&after=`: the person's Pages with their own tokens, in parts
 *   (`Paging.ts`). Everybody has one of their name, which has an Instagram account; with a grant of Instagram's also one that has none. `...-two` have a second, `...-shop`;
 *   `...-sixty` have sixty, up to `...-branch-60`, and with a grant of Facebook's `...-read` between them, without the task
 *   `CREATE_CONTENT`; `...-nopages` have none, `...-business` have theirs through `GET /{v}/me/businesses` alone.
 * `GET /{v}/{id}/stories` of a Page: `{ data: [{ post_id, media_id, media_type, status, creation_time, url }] }`, newest first
 * `GET /{v}/{page}?fields=`, `GET /{v}/{object}?fields=`, and `GET` and `POST /{v}/{object}/comments` (`message`): of what either
 *   product has with that id (`GraphObject.ts`)
 */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { displayName } from "../Avatar.ts"
import { Exchange } from "../Exchange.ts"
import { facebookObjects } from "./FacebookObjects.ts"
import { instagramObjects } from "../instagram/InstagramObjects.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { type Grant, Tokens } from "../oauth/Tokens.ts"
import { graphCaller, hosts } from "../meta/GraphCaller.ts"
import { graphDialect, graphError, noObject } from "../meta/GraphErrors.ts"
import { type GraphObject, objectRoutes } from "../meta/GraphObject.ts"
import { fieldsOf, pickFields, selectionOf } from "../meta/GraphParameters.ts"
import { facebookLogin } from "../meta/MetaAuthorization.ts"
import { partOf } from "../meta/Paging.ts"

const at = `${hosts.facebook}/:version` as const

export const PeopleHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer
    const { endpointsAt, page, pageId, userId } = yield* graphCaller
    const { listed, objectOf: instagramObject } = yield* instagramObjects
    const { objectOf: facebookObject, stories } = yield* facebookObjects
    const person = endpointsAt("facebook")

    const objectOf = (grant: Grant, id: string) => {
      const name = pagesOf(grant).find((account) => pageId({ ...grant, account }) === id)
      if (name === undefined) {
        return grant.platform === "facebook" ? facebookObject(grant, id) : instagramObject(grant, id)
      }
      return Effect.succeed<GraphObject>({
        operation: "account",
        body: (fields) => page(name, grant, fields)
      })
    }

    return [
      ...(yield* authorizationRoutes(facebookLogin)),
      person("GET", `${at}/me/permissions`, {
        operation: "account",
        answer: ({ grant }) => ({
          data: grant.scopes.map((permission) => ({ permission, status: "granted" }))
        })
      }),
      person("DELETE", `${at}/:id/permissions`, {
        operation: "revoke",
        scope: "read",
        read: ({ grant, id }) => (id === "me" || id === userId(grant) ? Effect.void : noObject(id, "delete")),
        answer: ({ grant }) => {
          for (const name of pagesOf(grant)) tokens.withdraw({ ...grant, account: name })
          tokens.withdraw(grant)
          return { success: true }
        }
      }),
      person("GET", `${at}/me`, {
        operation: "account",
        scope: "read",
        answer: ({ account, grant }) => ({ id: userId(grant), name: displayName(account) })
      }),
      person("GET", `${at}/me/accounts`, {
        operation: "account",
        scope: "read",
        answer: ({ account, given, grant, path: { version = "" }, token }) =>
          Effect.gen(function* () {
            if (!grant.scopes.includes("pages_show_list") || account.endsWith("-business")) {
              return { data: [] }
            }
            const fields = fieldsOf(given)
            const names = pagesOf(grant)
            const all = [
              ...names.map((name) => page(name, grant, fields)),
              ...(names.length === 0 || grant.platform === "facebook"
                ? []
                : [Effect.succeed(pickFields(withoutInstagram, fields))])
            ]
            const address = `${url()}${hosts.facebook}/${version}/me/accounts`
            const { paging, part } = yield* partOf(all, { given, token }, address)
            return { data: yield* Effect.all(part), paging }
          })
      }),
      person("GET", `${at}/me/businesses`, {
        operation: "account",
        scope: "read",
        answer: ({ account, given, grant }) =>
          Effect.gen(function* () {
            if (!account.endsWith("-business")) return { data: [] }
            const asked = selectionOf(given.get("fields") ?? "").get("owned_pages") ?? "id"
            const fields = [...selectionOf(asked).keys()]
            const owned = yield* Effect.forEach(pagesOf(grant), (name) => page(name, grant, fields))
            const client_pages = { data: [] }
            return { data: [{ id: "5", name: "A business", owned_pages: { data: owned }, client_pages }] }
          })
      }),
      person("GET", `${at}/:id/stories`, {
        operation: "post_search",
        scope: "read",
        own: "either",
        answer: ({ account, given, grant }) => ({
          data: grant.platform === "facebook" ? stories(account) : listed(account, "stories", given)
        })
      }),
      ...objectRoutes(person, at, objectOf),
      exchange.unknown(graphDialect("instagram"), `${hosts.facebook}/*`, (_method, path) =>
        graphError("2500", `Unknown path components: ${path}`)
      )
    ]
  })
)

const withoutInstagram = {
  id: "1999999999999999",
  name: "A Page without Instagram",
  access_token: "none"
}

const pagesOf = ({ account, platform }: Grant): ReadonlyArray<string> => {
  if (account.endsWith("-nopages")) return []
  if (account.endsWith("-two")) return [account, account.replace(/-two$/, "-shop")]
  if (!account.endsWith("-sixty")) return [account]
  const branches = Array.from({ length: 59 }, (_, index) => account.replace(/sixty$/, `branch-${index + 2}`))
  const looked = platform === "facebook" ? [account.replace(/sixty$/, "read")] : []
  return [account, ...branches.slice(0, 30), ...looked, ...branches.slice(30)]
}
