import { type AuditAction, type AuditActor, problem, type Scope, type Unauthorized } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../AppConfig.ts"
import { Audit, theInstance } from "../audit/Audit.ts"
import { makeCredentialCache } from "./CredentialCache.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { type Audience, resourceOf } from "./Audience.ts"
import {
  type Changes,
  type Grant,
  GrantRepository,
  type NewGrant,
  type Told,
  type Token
} from "./GrantRepository.ts"

interface OwnGrant {
  readonly type: "app"
  readonly name: string | null
  readonly member: string | null
  /** When it ends unless it is used before; null, like the others: it has just ended. */
  readonly expires_at: DateTime.Utc | null
}

/** The grants of people to connected apps, and their access tokens. */
export class Grants extends Context.Service<
  Grants,
  {
    /** An access token with its grant, if it was issued for this audience. */
    authenticate(token: Redacted.Redacted, audience: Audience): Effect.Effect<Token, Unauthorized>
    keep(grant: NewGrant): Effect.Effect<void>
    /** Grants in use or ended in the last month, last used first. */
    list(memberId: string): Effect.Effect<ReadonlyArray<Grant>>
    one(memberId: string, id: string): Effect.Effect<Option.Option<Grant>>
    /** The request's own grant, for its app to read. */
    own(id: string): Effect.Effect<OwnGrant>
    /** Whether a person has granted this app access and not ended it. */
    letIn(clientId: string): Effect.Effect<boolean>
    /** The present grant of a refresh token; nothing: there is no such token. */
    scopesOf(refreshToken: string): Effect.Effect<ReadonlyArray<Scope>>
    /** Changes a grant from the next request on, without another consent; false: there is no such grant. */
    change(changes: Changes): Effect.Effect<boolean>
    /** Ends a grant and every token of it, at once. */
    end(id: string, because: "person" | "app" | "reuse", address?: string): Effect.Effect<void>
    disconnect(memberId: string, id: string): Effect.Effect<void>
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/auth/Grants") {
  static readonly layer = Layer.effect(
    Grants,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* GrantRepository
      const audit = yield* Audit
      const wakeup = yield* Wakeup
      const { publicUrl } = yield* AppConfig
      const kept = yield* makeCredentialCache<Token>(wakeup.credentials)

      const told = (
        action: AuditAction,
        actor: AuditActor,
        { id, workspace_id, client_name }: Told,
        address?: string
      ) =>
        audit.record({
          workspace_id,
          actor,
          action,
          subject: { type: "app", id, name: client_name },
          address
        })

      const member = ({ member_id }: Told): AuditActor => ({ type: "member", id: member_id, name: null })
      const app = ({ id, client_name }: Told): AuditActor => ({ type: "app", id, name: client_name })

      const replaceOlder = Effect.fnUntraced(
        function* (id: string) {
          const older = yield* repository.replaceOlder(id)
          yield* Effect.forEach(older, (grant) => told("app.disconnected", { ...app(grant), id }, grant))
          return older.length > 0
        },
        sql.withTransaction,
        Effect.orDie
      )

      const keep = (grant: NewGrant) =>
        Effect.andThen(repository.insert(grant), told("app.connected", member(grant), grant)).pipe(
          sql.withTransaction,
          Effect.orDie
        )

      const authenticate = Effect.fnUntraced(function* (token: Redacted.Redacted, audience: Audience) {
        const value = Redacted.value(token)
        const found = yield* kept.get(value, repository.token(value))
        const now = yield* DateTime.now
        if (Option.isNone(found) || DateTime.isLessThanOrEqualTo(found.value.expires_at, now)) {
          return yield* problem(
            "unauthorized",
            "The credential is unknown here, has expired or was revoked; refresh it, or sign in again."
          )
        }
        const grant = found.value
        const resource = resourceOf(publicUrl, audience)
        if (grant.audience !== resource) {
          return yield* problem(
            "unauthorized",
            `The access token was issued for ${grant.audience}, not for ${resource}; request one for this address.`
          )
        }
        if (
          grant.last_used_at === null ||
          DateTime.isGreaterThan(now, DateTime.add(grant.last_used_at, { minutes: 1 }))
        ) {
          // Only now does the app have what the person granted anew.
          if (grant.last_used_at === null && (yield* replaceOlder(grant.grant_id))) {
            yield* wakeup.credentials.notify
          }
          yield* repository.used(grant.grant_id, now)
          kept.forget(value)
        }
        return grant
      })

      const endedBy = { person: member, app, reuse: () => theInstance }

      const end = Effect.fn("Grants.end")(function* (
        id: string,
        because: "person" | "app" | "reuse",
        address?: string
      ) {
        const ended = yield* repository.end(id, because, yield* DateTime.now).pipe(
          Effect.tap((found) =>
            Option.isNone(found)
              ? Effect.void
              : told("app.disconnected", endedBy[because](found.value), found.value, address)
          ),
          sql.withTransaction,
          Effect.orDie
        )
        if (Option.isSome(ended) && because === "reuse") {
          yield* Effect.logWarning("a code or refresh token was used again; its grant has ended", {
            grant: id
          })
        }
        yield* wakeup.credentials.notify
      })

      const change = Effect.fn("Grants.change")(function* (changes: Changes) {
        const changed = yield* Effect.gen(function* () {
          const found = yield* repository.change(changes)
          if (Option.isSome(found)) {
            yield* repository.rescope(changes.id, found.value.audience, changes.scopes)
            yield* told("app.updated", member(found.value), found.value)
          }
          return Option.isSome(found)
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
        yield* wakeup.credentials.notify
        return changed
      })

      return Grants.of({
        authenticate,
        keep,
        list: (memberId) =>
          Effect.gen(function* () {
            const all = yield* repository.list(memberId, yield* DateTime.now)
            return all.filter(({ live, ended_at }) => live || ended_at !== null)
          }),
        one: (memberId, id) => Effect.flatMap(DateTime.now, (now) => repository.one(memberId, id, now)),
        own: (id) =>
          Effect.map(repository.own(id), (found) => ({
            type: "app" as const,
            ...Option.getOrElse(found, () => ({ name: null, member: null, expires_at: null }))
          })),
        letIn: repository.letIn,
        scopesOf: (refreshToken) =>
          Effect.map(repository.ofRefreshToken(refreshToken), (found) =>
            Option.isSome(found) ? found.value.scopes : []
          ),
        change,
        end,
        disconnect: Effect.fn("Grants.disconnect")(function* (memberId: string, id: string) {
          if (yield* repository.belongsTo(memberId, id)) yield* end(id, "person")
        }),
        collect: Effect.flatMap(DateTime.now, repository.collect)
      })
    })
  ).pipe(Layer.provide(GrantRepository.layer))
}
