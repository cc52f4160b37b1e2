import { type PlatformAppName, platformApps, type PlatformAppTest } from "@carillon/domain"
import { Effect, Redacted, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import type { ConnectedApp } from "./ConnectedApp.ts"
import type { PublishError } from "./Platform.ts"
import { platformHttp, type Refusal, refusedByStatus, shortAnswer, type WholeAnswer } from "./PlatformHttp.ts"

type Result = PlatformAppTest["result"]

const Answer = Schema.Struct({ status: Schema.Int, body: Schema.Unknown })
const Said = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  access_token: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(
    Schema.Union([
      Schema.String,
      Schema.Struct({ code: Schema.optionalKey(Schema.Unknown), message: Schema.optionalKey(Schema.String) })
    ])
  ),
  error_description: Schema.optionalKey(Schema.String),
  error_message: Schema.optionalKey(Schema.String)
})
const isSaid = Schema.is(Said)

const refusals = [400, 401, 403, 404]

/** A code that no consent gave: a platform that knows the app refuses the code, and any other the app. */
const noCode = "carillon-asks-whether-the-app-is-known"

/**
 * Asks a platform whether it knows an app's id and secret, without any account. What it issues is thrown away. A failure has a
 * message for the operator; no answer is quoted.
 */
export const testApp = (
  client: HttpClient.HttpClient,
  name: PlatformAppName,
  app: ConnectedApp,
  { redirect_uri, metaGraphVersion }: { readonly redirect_uri: string; readonly metaGraphVersion: string }
): Effect.Effect<Result, PublishError> => {
  const call = platformHttp(client, platformApps[name].by)
  const secret = Redacted.value(app.secret)
  const token = app.bot_token === undefined ? "" : Redacted.value(app.bot_token)
  const asked = {
    secrets: [secret, ...(token === "" ? [] : [token])],
    format: "whole",
    also: refusals,
    maxAnswerBytes: shortAnswer,
    answer: Answer,
    refuse: ({ status }: Refusal) => refusedByStatus(platformApps[name].by, status)
  } as const
  const ask = (
    url: string,
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {}
  ) => call({ ...asked, method: "POST", url, headers, body: HttpBody.urlParams(form) })
  const withCode = { grant_type: "authorization_code", code: noCode, redirect_uri }
  const inForm = { client_id: app.id, client_secret: secret }
  const basic = `Basic ${Buffer.from(`${app.id}:${secret}`).toString("base64")}`

  switch (name) {
    case "tiktok":
      return ask(`${app.at("open.tiktokapis.com")}/v2/oauth/token/`, {
        client_key: app.id,
        client_secret: secret,
        grant_type: "client_credentials"
      }).pipe(Effect.map(atTikTok))
    case "facebook":
    case "facebook_pages":
      return call({
        ...asked,
        method: "GET",
        url: `${app.at("graph.facebook.com")}/${metaGraphVersion}/oauth/access_token`,
        query: { ...inForm, grant_type: "client_credentials" }
      }).pipe(Effect.map(atFacebook))
    case "instagram":
      return ask(`${app.at("api.instagram.com")}/oauth/access_token`, { ...inForm, ...withCode }).pipe(
        Effect.map(atInstagram)
      )
    case "threads":
      return ask(`${app.at("graph.threads.net")}/oauth/access_token`, { ...inForm, ...withCode }).pipe(
        Effect.map(atInstagram)
      )
    case "google":
    case "google_business":
      return ask(`${app.at("oauth2.googleapis.com")}/token`, { ...inForm, ...withCode }).pipe(
        Effect.map(atGoogle)
      )
    case "twitter":
      return ask(
        `${app.at("api.x.com")}/2/oauth2/token`,
        { ...withCode, code_verifier: noCode },
        { authorization: basic }
      ).pipe(Effect.map(atX))
    case "pinterest":
      return ask(`${app.at("api.pinterest.com")}/v5/oauth/token`, withCode, { authorization: basic }).pipe(
        Effect.map(({ status }) => (status === 401 ? "refused" : status === 400 ? "accepted" : "unclear"))
      )
    case "linkedin":
    case "linkedin_pages":
      return ask(`${app.at("www.linkedin.com")}/oauth/v2/accessToken`, { ...inForm, ...withCode }).pipe(
        Effect.map(atLinkedIn)
      )
    case "discord": {
      const site = app.at("discord.com")
      return Effect.all([
        ask(`${site}/api/oauth2/token`, { ...inForm, ...withCode }),
        call({
          ...asked,
          method: "GET",
          url: `${site}/api/v10/applications/@me`,
          headers: { authorization: `Bot ${token}` }
        })
      ]).pipe(Effect.map(([answer, application]) => atDiscord(app.id, answer, application)))
    }
  }
}

type Asked = Pick<WholeAnswer, "status" | "body">

const read = ({ body }: Asked) => {
  const said = isSaid(body) ? body : {}
  const { error } = said
  return {
    token: said.access_token !== undefined,
    id: said.id,
    code: typeof error === "string" ? error : String(error?.code ?? ""),
    words: (
      said.error_message ??
      said.error_description ??
      (typeof error === "object" ? error.message : undefined) ??
      ""
    ).toLowerCase()
  }
}

const atTikTok = (answer: Asked): Result => {
  const { token, code, words } = read(answer)
  if (token) return "accepted"
  if (code !== "invalid_client" && !/client/.test(words)) return "unclear"
  const [key, secret] = [/key/.test(words), /secret/.test(words)]
  return key === secret ? "refused" : key ? "wrong_id" : "wrong_secret"
}

const atFacebook = (answer: Asked): Result => {
  const { token, code, words } = read(answer)
  if (token) return "accepted"
  if (/secret/.test(words)) return "wrong_secret"
  return code === "101" || /application|client_id/.test(words) ? "wrong_id" : "unclear"
}

const atInstagram = (answer: Asked): Result => {
  const { words } = read(answer)
  if (/platform app|client_id|client id/.test(words)) return "wrong_id"
  if (/secret/.test(words)) return "wrong_secret"
  return /code/.test(words) ? "accepted" : "unclear"
}

const atGoogle = (answer: Asked): Result => {
  const { code, words } = read(answer)
  switch (code) {
    case "invalid_client":
      return /not found/.test(words) ? "wrong_id" : "wrong_secret"
    case "unauthorized_client":
      return "wrong_id"
    case "invalid_grant":
    case "redirect_uri_mismatch":
      return "accepted"
    default:
      return "unclear"
  }
}

const atX = (answer: Asked): Result => {
  const { code, words } = read(answer)
  if (answer.status === 401 || ["invalid_client", "unauthorized_client"].includes(code)) return "refused"
  return code === "invalid_grant" || /\bcode\b/.test(words) ? "accepted" : "unclear"
}

/** The token of a bot tells its app. */
const atDiscord = (id: string, answer: Asked, application: Asked): Result => {
  const { code } = read(answer)
  const isOther = application.status === 200 && read(application).id !== id
  if (application.status === 401 || isOther || code === "invalid_client") return "refused"
  return application.status === 200 && code === "invalid_grant" ? "accepted" : "unclear"
}

const atLinkedIn = (answer: Asked): Result => {
  const { code, words } = read(answer)
  if (code === "invalid_client_id" || /client_id/.test(words)) return "wrong_id"
  if (code === "invalid_client") return /secret/.test(words) ? "wrong_secret" : "refused"
  return code === "invalid_grant" || /code|redirect/.test(words) ? "accepted" : "unclear"
}
