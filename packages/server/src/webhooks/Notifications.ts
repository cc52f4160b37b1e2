import {
  type BadRequest,
  certainFormat,
  CurrentActor,
  type NotFound,
  type NotificationAttempt,
  NotificationEvent,
  NotificationFormat,
  type Notifications as Shown,
  problem,
  type SetNotifications
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { actingCredential, Audit } from "../audit/Audit.ts"
import { RemoteFetch } from "../http/RemoteFetch.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { NotificationRepository, type PeopleRow } from "./NotificationRepository.ts"
import { Notify } from "./Notify.ts"

/** The address at which a workspace's people are told what needs them. */
export class Notifications extends Context.Service<
  Notifications,
  {
    readonly get: Effect.Effect<Shown, never, CurrentActor>
    set(request: SetNotifications): Effect.Effect<Shown, BadRequest, CurrentActor>
    readonly delete: Effect.Effect<void, never, CurrentActor>
    /** Sends one message and waits for the answer. */
    readonly test: Effect.Effect<NotificationAttempt, NotFound, CurrentActor>
  }
>()("@carillon/server/webhooks/Notifications") {
  static readonly layerNoDeps = Layer.effect(
    Notifications,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const fetch = yield* RemoteFetch
      const notify = yield* Notify
      const repository = yield* NotificationRepository
      const wakeup = yield* Wakeup

      const get = Effect.gen(function* () {
        const { workspace_id } = yield* CurrentActor
        const row = yield* repository.get(workspace_id)
        if (Option.isNone(row)) return nobody
        const { id, secrets, ...shown } = row.value
        return { ...shown, last_attempt: yield* repository.lastAttempt(id) }
      })

      const record = Effect.fnUntraced(function* (
        action: "notifications.set" | "notifications.deleted",
        { id, url }: Pick<PeopleRow, "id" | "url">
      ) {
        const { workspace_id } = yield* CurrentActor
        const subject = { type: "webhook", id, name: new URL(url).host } as const
        yield* audit.record({ workspace_id, actor: yield* actingCredential, action, subject })
      })

      const change = Effect.fnUntraced(function* (
        { events, format, url }: SetNotifications,
        before: PeopleRow | undefined
      ) {
        const address = url ?? (before && Option.getOrUndefined(notify.open(before)))
        if (address === undefined) return yield* invalid("url", "Give the address that people are told at.")
        const { origin } = yield* Effect.mapError(fetch.check(address), () => notAllowed)
        const certain = certainFormat(address)
        if (certain !== null && (format ?? certain) !== certain) {
          return yield* invalid("format", `${origin} understands ${certain}; leave format out.`)
        }
        const chosen = format ?? certain ?? (url === undefined ? before?.format : undefined)
        if (chosen === undefined) {
          const all = NotificationFormat.literals.join(", ")
          return yield* invalid("format", `${origin} does not say what it understands; give one of ${all}.`)
        }
        const id = before?.id ?? SecureRandom.uuidV7Unsafe()
        return {
          id,
          url: `${origin}/…`,
          format: chosen,
          events: events ?? before?.events ?? NotificationEvent.literals,
          secrets: notify.seal(id, address)
        }
      })

      const set = Effect.fn("Notifications.set")(function* (request: SetNotifications) {
        const { workspace_id } = yield* CurrentActor
        yield* repository
          .set(workspace_id, (before) => change(request, Option.getOrUndefined(before)))
          .pipe(
            Effect.tap((row) => record("notifications.set", row)),
            sql.withTransaction,
            Effect.catchTag("SqlError", Effect.die)
          )
        yield* wakeup.deliveries.notify
        return yield* get
      })

      const remove = Effect.gen(function* () {
        const { workspace_id } = yield* CurrentActor
        yield* repository.remove(workspace_id).pipe(
          Effect.tap((row) =>
            Option.isSome(row) ? record("notifications.deleted", row.value) : Effect.void
          ),
          sql.withTransaction,
          Effect.orDie
        )
      }).pipe(Effect.withSpan("Notifications.delete"))

      const test = Effect.gen(function* () {
        const { workspace_id } = yield* CurrentActor
        const row = yield* repository.get(workspace_id)
        if (Option.isNone(row)) {
          return yield* problem(
            "not_found",
            "Nobody is told; set an address with PUT /v1/notifications first."
          )
        }
        const { retry_at, ...answer } = yield* notify.test(row.value, SecureRandom.uuidV7Unsafe())
        return { at: yield* DateTime.now, ...answer }
      }).pipe(Effect.withSpan("Notifications.test"))

      return Notifications.of({ get, set, delete: remove, test })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([NotificationRepository.layer, Notify.layer, RemoteFetch.layer])
  )
}

const nobody: Shown = {
  url: null,
  format: null,
  events: [],
  status: null,
  status_reason: null,
  failing_since: null,
  last_attempt: null
}

const invalid = (path: string, message: string) =>
  problem("invalid_request", [{ path, code: "invalid_value", message }])

/** Without the address, which holds a secret. */
const notAllowed = problem("webhook_url_not_allowed", [
  {
    path: "url",
    code: "webhook_url_not_allowed",
    message:
      "The address cannot be used; give an http or https URL on port 80 or 443, without user name or password, whose host is on the public internet."
  }
])
