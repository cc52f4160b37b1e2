import type { ConnectAccount } from "@carillon/sdk"
import { words } from "./en.ts"

export interface Field {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly secret?: true
  /** It may be left out, and is asked for only where it is wanted. */
  readonly optional?: true
  /** What it begins with. */
  readonly value?: string
}

interface CredentialForm {
  readonly fields: ReadonlyArray<Field>
  /** The field that names the account. */
  readonly account: string
  readonly link?: { readonly text: string; readonly href: string }
  readonly more?: string
  readonly request: (values: Readonly<Record<string, string>>) => ConnectAccount
}

/** The networks that are connected with what the person types here. */
export const credentialForms: Readonly<Record<string, CredentialForm>> = {
  bluesky: {
    fields: [
      { name: "identifier", label: words.bluesky.identifier, help: words.bluesky.identifierHelp },
      { name: "app_password", label: words.bluesky.password, help: words.bluesky.passwordHelp, secret: true },
      { name: "service", label: words.bluesky.service, help: words.bluesky.serviceHelp, optional: true }
    ],
    account: "identifier",
    link: { text: words.bluesky.makeOne, href: "https://bsky.app/settings/app-passwords" },
    more: words.bluesky.more,
    request: ({ app_password = "", identifier = "", service = "" }) => ({
      platform: "bluesky",
      credentials: { identifier, app_password, ...(service === "" ? {} : { service }) }
    })
  },
  sandbox: {
    fields: [
      { name: "username", label: words.sandbox.username, help: words.sandbox.usernameHelp },
      {
        name: "password",
        label: words.sandbox.password,
        help: words.sandbox.passwordHelp,
        secret: true,
        value: "sandbox"
      }
    ],
    account: "username",
    request: ({ password = "", username = "" }) => ({
      platform: "sandbox",
      credentials: { username, password }
    })
  }
}
