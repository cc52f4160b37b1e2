import { Effect, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import { type FormFile, multipartForm } from "../MultipartForm.ts"
import { PublishError } from "../Platform.ts"
import { type PlatformCall, platformHttp, type Refusal, type Refused, shortAnswer } from "../PlatformHttp.ts"

type AnySchema = Schema.ConstraintDecoder<unknown>
type Fields = Readonly<Record<string, string>>
type Special = Partial<
  Pick<PlatformCall<AnySchema>, "commit" | "timeout" | "refuse" | "secrets" | "maxAnswerBytes">
> & {
  /** Sent with the fields, as `multipart/form-data`. */
  readonly file?: FormFile
}

export interface GraphSettings<Login extends string> {
  /** The name of the API, for errors. */
  readonly name: string
  /** The address of the API for a login, with its version and without a trailing slash. */
  readonly root: (login: Login) => Effect.Effect<string, PublishError>
  readonly refuse: (refusal: Refusal) => Refused
}

/** Meta's Graph API, whose hosts and errors differ by platform. */
export const makeGraph = <Login extends string>(
  httpClient: HttpClient.HttpClient,
  { name, root, refuse }: GraphSettings<Login>
) => {
  const call = platformHttp(httpClient, name)

  const get = Effect.fnUntraced(function* <S extends AnySchema>(
    { login, token }: { readonly login: Login; readonly token: string },
    path: string,
    query: Fields,
    answer: S,
    special: Pick<Special, "refuse" | "maxAnswerBytes"> = {}
  ) {
    return yield* call({
      method: "GET",
      url: `${yield* root(login)}/${path}`,
      query,
      bearer: token,
      maxAnswerBytes: shortAnswer,
      refuse,
      ...special,
      answer
    })
  })

  const post = Effect.fnUntraced(function* <S extends AnySchema>(
    { login, token }: { readonly login: Login; readonly token: string },
    path: string,
    fields: Fields,
    answer: S,
    { file, ...special }: Special = {}
  ) {
    return yield* call({
      method: "POST",
      url: `${yield* root(login)}/${path}`,
      bearer: token,
      body: file === undefined ? HttpBody.urlParams(fields) : multipartForm(fields, [file]),
      maxAnswerBytes: shortAnswer,
      refuse,
      ...special,
      answer
    })
  })

  return { call, get, post, root, refuse }
}

/** The place of the next page in a list; `next` is missing on the last. */
export const Paging = Schema.optionalKey(
  Schema.Struct({
    cursors: Schema.optionalKey(Schema.Struct({ after: Schema.optionalKey(Schema.String) })),
    next: Schema.optionalKey(Schema.String)
  })
)

/** Unix milliseconds of a time as the Graph API writes it, `2026-11-28T12:00:00+0000`. */
export const timeOf = (text: string): number => Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))

export type Graph<Login extends string> = ReturnType<typeof makeGraph<Login>>
