import { CurrentActor, permissionsOf } from "@carillon/domain"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Data, Effect, Option } from "effect"
import { HttpBody, HttpClient } from "effect/http"
import { randomBytes } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { theInstance } from "../audit/Audit.ts"
import type { Platform } from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { SocialAccounts } from "./SocialAccounts.ts"

class NoConsent extends Data.TaggedError("NoConsent")<{ readonly message: string }> {}

/**
 * Connects a demo account of every platform of the test network, unless an account of that platform was ever
 * connected. It walks through the stand-ins' consent pages as a person in a browser would.
 */
export const connectDemoAccounts = Effect.gen(function* () {
  const { sandboxUrl, publicUrl } = yield* AppConfig
  if (Option.isNone(sandboxUrl)) return
  const accounts = yield* SocialAccounts
  const platforms = yield* Platforms
  const workspace = yield* (yield* Workspaces).default
  const actor = {
    workspace_id: workspace.id,
    timezone: workspace.timezone,
    key_id: null,
    key_name: null,
    member: null,
    grant: null,
    scopes: ["admin" as const],
    social_accounts: null
  }

  const consented = Effect.fnUntraced(function* ({ id, oauth }: Platform) {
    if (oauth === undefined) return []
    const consent = {
      login: oauth.logins[0]!,
      redirect_uri: `${publicUrl}/oauth/callback/${id}`,
      permissions: permissionsOf(id),
      state: randomBytes(32).toString("base64url"),
      code_verifier: randomBytes(48).toString("base64url")
    }
    const url = oauth.authorizeUrl(consent)
    const scopes = (new URL(url).searchParams.get("scope") ?? "").split(/[ ,]/)
    const { status, headers } = yield* HttpClient.post(url, {
      body: HttpBody.urlParams([
        // Not the sandbox's name: `@demo` stays one account for the command line.
        ["username", `${id}-demo`],
        ["decision", "allow"],
        ...scopes.map((scope): [string, string] => ["scope", scope])
      ])
    })
    const location = headers["location"] ?? ""
    const code = URL.canParse(location) ? new URL(location).searchParams.get("code") : null
    if (code === null) {
      return yield* new NoConsent({ message: `the consent page answered ${status} without a code` })
    }
    return (yield* oauth.exchange({ ...consent, code })).slice(0, 1)
  })

  const connect = Effect.fnUntraced(function* (platform: Platform) {
    const { total } = yield* accounts.list({ platform: [platform.id] }, { limit: 1, offset: 0 })
    if (total > 0) return
    if (platform.id === "sandbox") {
      yield* accounts.connect({ platform: "sandbox", credentials: { username: "demo", password: "sandbox" } })
      return
    }
    for (const account of yield* consented(platform)) {
      yield* accounts.store(theInstance, workspace.id, platform.id, account)
    }
  })

  const played = platforms.all.filter(({ id, stand_in }) => id === "sandbox" || stand_in === true)
  yield* Effect.forEach(played, (platform) =>
    connect(platform).pipe(
      Effect.provideService(CurrentActor, actor),
      Effect.catch((failure) =>
        Effect.logWarning(
          `the demo account of ${platform.id} could not be connected`,
          "detail" in failure ? failure.detail : failure.message
        )
      )
    )
  )
}).pipe(Effect.provide(NodeHttpClient.layerUndici))
