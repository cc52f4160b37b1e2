import { Effect } from "effect"

/** What a person does on a stand-in's consent page, with plain HTTP; the code that the browser comes back with. */
export const consentCode = (page: string, username: string, scopes: ReadonlyArray<string>) =>
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
    return new URL(headers.get("location")!).searchParams.get("code")!
  })
