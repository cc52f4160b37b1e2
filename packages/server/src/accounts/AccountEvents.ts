import { Context, Effect, Layer, Option } from "effect"
import { Events } from "../events/Events.ts"
import { type SocialAccountRow, SocialAccountRepository } from "./SocialAccountRepository.ts"
import { SocialAccountView } from "./SocialAccountView.ts"

/** Events about social accounts, stored in the transaction that changes them. */
export class AccountEvents extends Context.Service<
  AccountEvents,
  {
    connected(account: SocialAccountRow): Effect.Effect<void>
    /** It is connected again, by nobody's sign-in. */
    resumed(accountId: number): Effect.Effect<void>
    needsReconnect(accountId: number): Effect.Effect<void>
    disconnected(accountId: number): Effect.Effect<void>
  }
>()("@carillon/server/accounts/AccountEvents") {
  static readonly layer = Layer.effect(
    AccountEvents,
    Effect.gen(function* () {
      const events = yield* Events
      const repository = yield* SocialAccountRepository
      const view = yield* SocialAccountView

      const tell = Effect.fnUntraced(function* (
        type: "account.connected" | "account.needs_reconnect" | "account.disconnected",
        account: SocialAccountRow
      ) {
        const data = yield* view.one(account)
        yield* events.append([
          { workspace_id: account.workspace_id, subject: String(account.id), type, data }
        ])
      })

      const tellOf = Effect.fnUntraced(function* (
        type: "account.connected" | "account.needs_reconnect" | "account.disconnected",
        accountId: number
      ) {
        const account = yield* repository.byId(accountId)
        if (Option.isSome(account)) yield* tell(type, account.value)
      })

      return AccountEvents.of({
        connected: (account) => tell("account.connected", account),
        resumed: (accountId) => tellOf("account.connected", accountId),
        needsReconnect: (accountId) => tellOf("account.needs_reconnect", accountId),
        disconnected: (accountId) => tellOf("account.disconnected", accountId)
      })
    })
  ).pipe(Layer.provide([SocialAccountRepository.layer, Events.layer]))
}
