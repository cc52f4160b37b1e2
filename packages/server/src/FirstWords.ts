import { CurrentActor } from "@carillon/domain"
import { Console, Effect, Option } from "effect"
import { ApiKeys } from "./auth/ApiKeys.ts"
import { AppConfig } from "./AppConfig.ts"
import { SocialAccounts } from "./accounts/SocialAccounts.ts"
import { Workspaces } from "./profile/Workspaces.ts"

/** Connects the test network's demo account, unless it has ever been connected. */
export const connectDemoAccount = Effect.gen(function* () {
  const { sandboxUrl } = yield* AppConfig
  if (Option.isNone(sandboxUrl)) return
  const accounts = yield* SocialAccounts
  const workspace = yield* (yield* Workspaces).default
  const actor = {
    workspace_id: workspace.id,
    timezone: workspace.timezone,
    key_id: null,
    scopes: ["admin" as const],
    social_accounts: null
  }
  yield* Effect.gen(function* () {
    const { total } = yield* accounts.list({ platform: ["sandbox"] }, { limit: 1, offset: 0 })
    if (total > 0) return
    yield* accounts.connect({ platform: "sandbox", credentials: { username: "demo", password: "sandbox" } })
  }).pipe(
    Effect.provideService(CurrentActor, actor),
    Effect.catch((failure) => Effect.logWarning("the demo account could not be connected", failure.detail))
  )
})

/** What a person sees when the service has started. */
export const firstWords = Effect.gen(function* () {
  const config = yield* AppConfig
  const key = yield* (yield* ApiKeys).first
  const lines = [
    "",
    "Carillon is running.",
    "",
    `  API             ${config.publicUrl}/v1`,
    `  Reference       ${config.publicUrl}/docs`,
    ...Option.match(config.sandboxUrl, {
      onNone: () => [],
      onSome: (url) => [`  Test network    ${url}   what you publish to the sandbox appears here`]
    }),
    ...(Option.isSome(config.databaseUrl) ? [] : [`  Data            ${config.dataDir}`]),
    "",
    ...Option.match(key, {
      onNone: () =>
        Option.isSome(config.bootstrapApiKey)
          ? ["The API key in CARILLON_BOOTSTRAP_API_KEY is an admin key of the default workspace.", ""]
          : [
              "Your API key was shown on the first start. Lost it? Set CARILLON_BOOTSTRAP_API_KEY to one of your own",
              "and start again.",
              ""
            ],
      onSome: (key) => [`Your API key, shown only this once:  ${key}`, "", ...tryIt(config, key)]
    })
  ]
  yield* Console.log(lines.join("\n"))
})

const tryIt = ({ publicUrl, sandboxUrl }: AppConfig["Service"], key: string) => {
  const url = publicUrl === "http://localhost:4400" ? "" : ` CARILLON_URL=${publicUrl}`
  if (Option.isNone(sandboxUrl))
    return [`Next, in a second terminal:  export CARILLON_API_KEY=${key}${url}`, ""]
  return [
    "Publish something now: paste this in a second terminal, in this folder.",
    "",
    `  export CARILLON_API_KEY=${key}${url}`,
    `  npm run -s carillon -- post "Hello from Carillon" --media examples/media/bells.jpg --to sandbox --at "in 10 seconds" --wait`,
    "  npm run -s carillon -- posts",
    ""
  ]
}
