import { Effect, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { PublishError } from "../Platform.ts"
import { type PlatformCall, platformHttp, shortAnswer } from "../PlatformHttp.ts"
import { refuseGraph } from "./GraphErrors.ts"

/** The app of each login that is set up here. */
export interface InstagramApps {
  readonly instagram?: ConnectedApp
  readonly facebook?: ConnectedApp
}

export type Login = keyof InstagramApps

const hosts = { instagram: "graph.instagram.com", facebook: "graph.facebook.com" } as const

type AnySchema = Schema.ConstraintDecoder<unknown>
type Fields = Readonly<Record<string, string>>
type Special = Partial<Pick<PlatformCall<AnySchema>, "commit" | "timeout" | "refuse" | "secrets">>

/** The Graph API on the host of an account's login; `version` as in `v25.0`. */
export const makeGraph = (httpClient: HttpClient.HttpClient, apps: InstagramApps, version: string) => {
  const call = platformHttp(httpClient, "Instagram")

  const appOf = (login: Login) => {
    const app = apps[login]
    return app === undefined
      ? Effect.fail(
          new PublishError({
            class: "config",
            code: "platform_not_configured",
            message: `This instance is not set up for Instagram accounts that were connected with ${login === "facebook" ? "Facebook" : "Instagram"} Login any more. Tell the operator.`
          })
        )
      : Effect.succeed(app)
  }

  const at = (login: Login, path: string) =>
    Effect.map(appOf(login), (app) => `${app.at(hosts[login])}/${version}/${path}`)

  const get = Effect.fnUntraced(function* <S extends AnySchema>(
    { login, token }: { readonly login: Login; readonly token: string },
    path: string,
    query: Fields,
    answer: S,
    special: Pick<Special, "refuse"> & { readonly maxAnswerBytes?: number } = {}
  ) {
    return yield* call({
      method: "GET",
      url: yield* at(login, path),
      query,
      bearer: token,
      maxAnswerBytes: shortAnswer,
      refuse: refuseGraph,
      ...special,
      answer
    })
  })

  const post = Effect.fnUntraced(function* <S extends AnySchema>(
    { login, token }: { readonly login: Login; readonly token: string },
    path: string,
    fields: Fields,
    answer: S,
    special: Special = {}
  ) {
    return yield* call({
      method: "POST",
      url: yield* at(login, path),
      bearer: token,
      body: HttpBody.urlParams(fields),
      maxAnswerBytes: shortAnswer,
      refuse: refuseGraph,
      ...special,
      answer
    })
  })

  /** A call whose answer holds tokens: none of it is ever quoted. */
  const secretly = Effect.fnUntraced(function* <S extends AnySchema>({
    answer,
    ...request
  }: PlatformCall<S>): Effect.fn.Return<S["Type"], PublishError> {
    const body = yield* call({ ...request, answer: Schema.Unknown })
    return yield* Schema.decodeUnknownEffect(answer)(body).pipe(
      Effect.mapError(
        () =>
          new PublishError({
            class: "transient",
            code: "unreadable_answer",
            message: "Instagram answered the sign-in with something that cannot be read. Try again."
          })
      )
    )
  })

  return { call, get, post, secretly, appOf, version }
}

export type Graph = ReturnType<typeof makeGraph>
