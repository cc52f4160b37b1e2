import { noticeDays } from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../events/Events.ts"
import { type ExpiringAccount, SocialAccountRepository } from "./SocialAccountRepository.ts"
import { SocialAccountView } from "./SocialAccountView.ts"

const batch = 100

/** The notice that is due now, in days; null: none. `told` is the last one before this end. */
export const dueNotice = (now: DateTime.Utc, end: DateTime.Utc, told: number | null): number | null => {
  if (DateTime.isLessThanOrEqualTo(end, now)) return null
  const left = DateTime.distance(now, end)
  const due = noticeDays.findLast((days) => Duration.isLessThanOrEqualTo(left, Duration.days(days)))
  return due === undefined || (told !== null && told <= due) ? null : due
}

/** Events about accounts whose access ends unless a person connects them again. */
export class ExpiryNotices extends Context.Service<
  ExpiryNotices,
  {
    /** Tells of those that are due. Several processes may do it at once. */
    readonly tell: Effect.Effect<void>
  }
>()("@carillon/server/accounts/ExpiryNotices") {
  static readonly layerNoDeps = Layer.effect(
    ExpiryNotices,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* SocialAccountRepository
      const events = yield* Events
      const view = yield* SocialAccountView

      const tellOf = Effect.fnUntraced(
        function* (now: DateTime.Utc, account: ExpiringAccount) {
          const due = dueNotice(now, account.access_expires_at, account.expiry_notice)
          if (due === null) return
          const row = yield* repository.markNotice(account, due)
          // Another process was first, or the account was connected again.
          if (Option.isNone(row)) return
          const { id, workspace_id } = row.value
          const data = yield* view.one(row.value)
          yield* events.append([{ workspace_id, subject: String(id), type: "account.expiring", data }])
        },
        (effect) => sql.withTransaction(effect).pipe(Effect.catchTag("SqlError", Effect.die))
      )

      const tell = Effect.gen(function* () {
        while (true) {
          const now = yield* DateTime.now
          const due = yield* repository.expiring(now, noticeDays, batch)
          yield* Effect.forEach(due, (account) => tellOf(now, account), { discard: true })
          if (due.length < batch) return
        }
      })

      return ExpiryNotices.of({ tell })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([SocialAccountRepository.layer, Events.layer]))
}
