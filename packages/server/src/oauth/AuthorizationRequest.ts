import { appScopes, isAppScope } from "@carillon/domain"
import { audiences, resourceOf } from "../auth/Audience.ts"

/** Spellings of our resources in requests: a slash at the end, another case of the host, or the bare origin. */
const repairedResource = (publicUrl: string, given: string) => {
  const url = URL.parse(given)
  if (url === null) return given
  const spelled = url.href.replace(/\/+$/, "")
  if (spelled === publicUrl) return resourceOf(publicUrl, "mcp")
  return (
    audiences.map((audience) => resourceOf(publicUrl, audience)).find((known) => known === spelled) ?? given
  )
}

const repairResources = (publicUrl: string, parameters: URLSearchParams) => {
  const resources = parameters.getAll("resource").filter((resource) => resource !== "")
  parameters.delete("resource")
  for (const resource of new Set(resources.map((given) => repairedResource(publicUrl, given)))) {
    parameters.append("resource", resource)
  }
}

/** The parameters of an authorization request: only our scopes, and all of them where none is left. */
export const repairedAuthorization = (publicUrl: string, given: URLSearchParams) => {
  const parameters = new URLSearchParams(given)
  repairResources(publicUrl, parameters)
  const asked = (parameters.get("scope") ?? "").split(/\s+/)
  const ours = asked.filter(isAppScope)
  parameters.set(
    "scope",
    [
      ...(ours.length === 0 ? appScopes : new Set(ours)),
      ...(asked.includes("offline_access") ? ["offline_access"] : [])
    ].join(" ")
  )
  return parameters
}

/**
 * The parameters of a token request. Apps repeat `offline_access` when they refresh, and scopes that the person has taken
 * back. `scope` keeps the scopes that are granted now; without any it is dropped, which asks for all of them.
 */
export const repairedTokenRequest = (
  publicUrl: string,
  given: URLSearchParams,
  granted: ReadonlyArray<string>
) => {
  const parameters = new URLSearchParams(given)
  repairResources(publicUrl, parameters)
  if (parameters.get("grant_type") !== "refresh_token") return parameters
  const asked = (parameters.get("scope") ?? "").split(/\s+/)
  const left = asked.filter((scope) => granted.includes(scope))
  if (left.length === 0) parameters.delete("scope")
  else parameters.set("scope", left.join(" "))
  return parameters
}
