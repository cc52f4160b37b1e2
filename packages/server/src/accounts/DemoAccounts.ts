import { appsOf, CurrentActor } from "@carillon/domain"
import { Effect, Option } from "effect"
import { AppConfig } from "../AppConfig.ts"
import { theInstance } from "../audit/Audit.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { demoAccountOf } from "./DemoAccount.ts"
import { SocialAccounts } from "./SocialAccounts.ts"

/**
 * Stores a demo account of every platform of the test network, which need not run yet, unless an account of that platform was
 * ever connected. Where a real account is connected, the test network is no longer what the instance is for.
 */
export const connectDemoAccounts = Effect.gen(function* () {
  const { sandboxUrl } = yield* AppConfig
  if (Option.isNone(sandboxUrl)) return
  const accounts = yield* SocialAccounts
  const platforms = yield* Platforms
  const workspace = yield* (yield* Workspaces).default
  const { data, total } = yield* accounts.list({}, { limit: mostAccounts, offset: 0 }).pipe(
    Effect.provideService(CurrentActor, {
      workspace_id: workspace.id,
      timezone: workspace.timezone,
      key_id: null,
      key_name: null,
      member: null,
      grant: null,
      scopes: ["admin"],
      social_accounts: null
    })
  )
  if (total > data.length || data.some(({ network }) => network === "real")) return
  for (const platform of platforms.all) {
    // Where there is no app, credentials say whose they are.
    const isPlayed = appsOf(platform.id).length === 0 || platform.stand_in === true
    const account = demoAccountOf(platform, sandboxUrl.value)
    if (isPlayed && account !== undefined && !data.some((one) => one.platform === platform.id))
      yield* accounts.store(theInstance, workspace.id, platform.id, account)
  }
})

/** An instance that has more is not on trial. */
const mostAccounts = 200
