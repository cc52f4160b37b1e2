import { askedScopes } from "@carillon/domain"
import { Effect, Schema } from "effect"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { requireScopes } from "../GrantedScopes.ts"
import { longLivedTokens } from "../meta/LongLivedToken.ts"
import type { OAuthConnect } from "../Platform.ts"
import { host, type ThreadsGraph } from "./ThreadsGraph.ts"

const CodeAnswer = Schema.Struct({ access_token: Schema.String })
const Inspected = Schema.Struct({ data: Schema.Struct({ scopes: Schema.Array(Schema.String) }) })
const Me = Schema.Struct({
  id: Schema.Union([Schema.String, Schema.Finite]),
  username: Schema.String,
  name: Schema.optionalKey(Schema.String),
  threads_profile_picture_url: Schema.optionalKey(Schema.String)
})

/** The scopes for publishing. */
const needed = ["threads_basic", "threads_content_publish"]
/** Without it nobody finds an item of a thread whose reply was lost, and the thread ends there. */
const wanted = "threads_read_replies"

/** https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions. */
export const threadsSignIn = (app: ConnectedApp, graph: ThreadsGraph) => {
  const tokens = longLivedTokens(graph, {
    name: "Threads",
    login: "threads",
    codeHost: host,
    host,
    grant: "th"
  })

  /** What a person allowed. Threads tells it to testers of the app alone. */
  const scopesOf = (token: string) =>
    graph.get({ login: "threads", token }, "debug_token", { input_token: token }, Inspected).pipe(
      Effect.map(({ data }): ReadonlyArray<string> | undefined => data.scopes),
      Effect.orElseSucceed(() => undefined)
    )

  const oauth: OAuthConnect = {
    logins: ["threads"],
    authorizeUrl: ({ permissions = [], redirect_uri, state }) =>
      `${app.at("threads.net")}/oauth/authorize?${new URLSearchParams({
        client_id: app.id,
        redirect_uri,
        response_type: "code",
        scope: [...needed, wanted, ...askedScopes("threads", "threads", permissions)].join(","),
        state
      })}`,
    exchange: Effect.fn("Threads.exchange")(function* (request) {
      const { access_token: short } = yield* tokens.ofCode(app, request, CodeAnswer)
      const long = yield* tokens.lasting(app, short)
      const token = long.access_token
      const scopes = yield* scopesOf(token)
      if (scopes !== undefined) yield* requireScopes(needed, scopes)
      const me = yield* graph.get(
        { login: "threads", token },
        "me",
        { fields: "id,username,name,threads_profile_picture_url" },
        Me
      )
      return [
        {
          remote_id: String(me.id),
          username: me.username,
          display_name: me.name ?? null,
          avatar_url: me.threads_profile_picture_url ?? null,
          ...(scopes === undefined ? {} : { scopes }),
          ...(yield* tokens.issued(long))
        }
      ]
    })
  }

  return { oauth, renewed: tokens.renewed }
}
