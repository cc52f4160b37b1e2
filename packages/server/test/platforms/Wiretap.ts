import { Effect } from "effect"
import { HttpClient, type HttpClientRequest, HttpClientResponse, UrlParams } from "effect/http"

/** A client that keeps its requests. */
export const recorded = (client: HttpClient.HttpClient, sent: Array<HttpClientRequest.HttpClientRequest>) =>
  HttpClient.mapRequest(client, (request) => {
    sent.push(request)
    return request
  })

/** A client that keeps what is said on the wire, both ways: addresses, headers and the bodies that are text. */
export const tapped = (client: HttpClient.HttpClient, heard: Array<string>) =>
  HttpClient.transform(client, (answer, request) => {
    heard.push(...said(request))
    return Effect.flatMap(answer, (response) =>
      Effect.map(response.text, (text) => {
        const { status, headers } = response
        heard.push(text, headers["location"] ?? "")
        return HttpClientResponse.fromWeb(
          request,
          new Response([204, 205, 304].includes(status) ? null : text, {
            status,
            headers: new Headers(headers)
          })
        )
      })
    )
  })

const said = ({ url, urlParams, headers, body }: HttpClientRequest.HttpClientRequest) => [
  `${url}?${UrlParams.toString(urlParams)}`,
  headers["authorization"] ?? "",
  body._tag === "Uint8Array" ? Buffer.from(body.body).toString("latin1") : ""
]

const name = "[\\w-]*(?:token|secret|verifier|signature|policy|password|jwt)"
const inJson = new RegExp(`"${name}":"([^"]+)"`, "gi")
/** Telegram's token and that of a webhook of Discord. */
const inPaths = /\/(?:bot|webhooks\/\d+\/)([^/?\s"]{9,})/g
const inForms = new RegExp(`\\b(?:${name}|code|upload_id)=([^&\\s"]+)`, "gi")

/** Every secret of a conversation: what whoever has it can act with. */
export const secretsIn = (heard: ReadonlyArray<string>): ReadonlySet<string> => {
  const all = heard.flatMap((text) => {
    const [, scheme = "", credentials = ""] = /^(Bearer|OAuth|Basic|Bot) (\S+)$/i.exec(text) ?? []
    const basic = Buffer.from(credentials, "base64").toString("utf8").split(":")[1]
    return [
      ...[...text.matchAll(inPaths)].map(([, value]) => value!),
      ...[...text.matchAll(inJson)].map(([, value]) => value!),
      ...[...text.matchAll(inForms)].map(([, value]) => decodeURIComponent(value!)),
      /^basic$/i.test(scheme) ? (basic ?? "") : credentials
    ]
  })
  // TikTok calls the id of what it publishes upload_id too; the token beside it is the secret.
  const isId = (value: string) => heard.some((text) => text.includes(`_id":"${value}"`))
  return new Set(all.filter((secret) => secret.length > 8 && !isId(secret)))
}
