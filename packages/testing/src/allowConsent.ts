import { Effect } from "effect"

/** What a person does on a stand-in's consent page, with plain HTTP; the address that the browser is sent back to. */
export const allowConsent = (page: string | URL, username: string, scopes: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const { headers } = await fetch(page, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams([
        ["username", username],
        ["decision", "allow"],
        ...scopes.map((scope): [string, string] => ["scope", scope])
      ])
    })
    return headers.get("location")
  })
