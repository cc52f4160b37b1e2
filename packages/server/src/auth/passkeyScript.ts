/**
 * Shows the form of the sign-in page that signs in with a passkey, where the browser has them and the page is at PUBLIC_URL, and fills
 * it in. By hand, because programs that keep passwords answer with objects whose `toJSON` fails.
 */
export const passkeyScript = `
const form = document.getElementById("passkey")
const said = form.querySelector("[role=alert]")
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0))
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/[+]/g, "-").replace(/[/]/g, "_").replace(/=/g, "")
form.hidden = !window.PublicKeyCredential || location.origin !== form.dataset.origin
form.addEventListener("submit", async (event) => {
  event.preventDefault()
  said.hidden = true
  try {
    const answer = await fetch("/sign-in/passkey")
    const { challenge, ...options } = await answer.json()
    const { id, rawId, response, type } = await navigator.credentials.get({ publicKey: { ...options, challenge: bytes(challenge) } })
    const { authenticatorData, clientDataJSON, signature, userHandle } = response
    form.elements.credential.value = JSON.stringify({
      id,
      rawId: text(rawId),
      type,
      clientExtensionResults: {},
      response: {
        authenticatorData: text(authenticatorData),
        clientDataJSON: text(clientDataJSON),
        signature: text(signature),
        userHandle: text(userHandle)
      }
    })
    form.submit()
  } catch {
    said.hidden = false
  }
})
`
