import { CurrentActor, PlatformId } from "@carillon/domain"
import { Effect, Option } from "effect"
import { AppConfig } from "../AppConfig.ts"
import { theInstance } from "../audit/Audit.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { demoAccountOf, isPlayedByCredentials } from "./DemoAccount.ts"
import { DemoAccountRepository } from "./DemoAccountRepository.ts"
import { SocialAccounts } from "./SocialAccounts.ts"

/**
 * Stores a demo account of every platform of the test network, which need not run yet, unless an account of that platform was
 * ever connected. Where a real account is connected, the test network is no longer what the instance is for.
 */
export const connectDemoAccounts = Effect.gen(function* () {
  const { sandboxUrl } = yield* AppConfig
  const accounts = yield* SocialAccounts
  const platforms = yield* Platforms
  const demos = yield* DemoAccountRepository
  const workspace = yield* (yield* Workspaces).default
  const isPlayed = (id: PlatformId) =>
    Option.isSome(sandboxUrl) &&
    (isPlayedByCredentials(id) || Option.exists(platforms.get(id), ({ stand_in }) => stand_in === true))
  yield* demos.settle(PlatformId.literals.filter(isPlayed), true)
  yield* demos.settle(
    PlatformId.literals.filter((id) => !isPlayed(id)),
    false
  )
  if (Option.isNone(sandboxUrl)) return

  const { data, total } = yield* accounts.list({}, { limit: mostAccounts, offset: 0 }).pipe(
    Effect.provideService(CurrentActor, {
      workspace_id: workspace.id,
      timezone: workspace.timezone,
      key_id: null,
      key_name: null,
      member: null,
      member_id: null,
      instance: true,
      grant: null,
      scopes: ["admin"],
      social_accounts: null
    })
  )
  const real = data.filter(({ network }) => network === "real")
  if (real.length > 0)
    yield* demos.replace(
      workspace.id,
      real.map(({ platform }) => platform)
    )
  if (total > data.length || real.length > 0) return
  for (const platform of platforms.all) {
    const account = demoAccountOf(platform, sandboxUrl.value)
    if (isPlayed(platform.id) && account !== undefined && !data.some((one) => one.platform === platform.id))
      yield* accounts.store(theInstance, workspace.id, platform.id, { ...account, demo: true })
  }
}).pipe(Effect.provide(DemoAccountRepository.layer))

/** An instance that has more is not on trial. */
const mostAccounts = 200
