import { markup } from "@carillon/domain"
import { destination } from "./Destination.ts"

/** The codes of OAuth in words. */
const refusals: Readonly<Record<string, string>> = {
  invalid_client:
    "Carillon does not know this app, or no longer does. Remove Carillon from the app and connect it again.",
  invalid_redirect_uri: "The app wants its answer at an address that it has not registered.",
  invalid_request: "The app's request is incomplete, or Carillon does not understand it.",
  invalid_scope: "The app asked for something that Carillon does not offer.",
  invalid_target: "The app asked for access to an address that is not this service's.",
  unsupported_response_type: "The app wants a kind of sign-in that Carillon does not offer.",
  access_denied: "The access was refused.",
  server_error: "Something went wrong inside Carillon. Try again; if it happens again, the log says why."
}

/** What the app is not told by itself is told to the person, who may go there with it where `address` is the app's own. */
export const refusalPage = (
  out: { readonly error: string; readonly error_description?: string | undefined },
  address: string | null
) => ({
  title: "This app cannot be connected",
  body: markup`<p>${refusals[out.error] ?? "What the app asked for cannot be answered."} Nothing was granted.</p>
<p class="soft">Start again in the app. If that does not help, tell its makers <code>${out.error}</code>: ${out.error_description ?? "no more is known"}.</p>
${address === null ? "" : markup`<p><a href="${toldTo(address, out)}">Tell it to ${destination(address).shown}</a>, if you have just started to connect that yourself.</p>`}`,
  bad: true
})

const toldTo = (address: string, out: object) => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(out)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}
