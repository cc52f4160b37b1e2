import {
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  AuditEntryId,
  type AuditFilter,
  type AuditSubject,
  CurrentActor,
  type Found,
  type Page,
  type WorkspaceId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerRequest } from "effect/http"
import { clientAddress } from "../http/RateLimit.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { AuditRepository } from "./AuditRepository.ts"

export interface Act {
  /** null: the whole instance; the default workspace shows it. */
  readonly workspace_id: WorkspaceId | null
  readonly actor: AuditActor | null
  readonly action: AuditAction
  readonly subject: AuditSubject | null
  /** Given where it is not the address of the present request. */
  readonly address?: string | undefined
}

const kept = { days: 365 } as const

/** The trail of who changed who may do what: a line in the log, and a row for a year. */
export class Audit extends Context.Service<
  Audit,
  {
    /** Runs in the transaction that makes the change, if there is one. */
    record(act: Act): Effect.Effect<void>
    list(filter: AuditFilter, page: Page): Effect.Effect<Found<AuditEntry>, never, CurrentActor>
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/audit/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const repository = yield* AuditRepository
      const workspaces = yield* Workspaces

      const record = Effect.fn("Audit.record")(function* ({ workspace_id, address, ...act }: Act) {
        const request = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
        const from =
          address ??
          (Option.isNone(request)
            ? null
            : yield* Effect.provideService(clientAddress, HttpServerRequest.HttpServerRequest, request.value))
        yield* Effect.logInfo(act.action, { actor: act.actor, subject: act.subject, address: from })
        yield* repository.insert({
          ...act,
          id: AuditEntryId.make(SecureRandom.uuidV7Unsafe()),
          workspace_id: workspace_id ?? (yield* workspaces.default).id,
          at: yield* DateTime.now,
          address: from
        })
      })

      return Audit.of({
        record,
        list: Effect.fn("Audit.list")(function* (filter, page) {
          const { workspace_id } = yield* CurrentActor
          return yield* repository.list(workspace_id, filter, page)
        }),
        collect: Effect.flatMap(DateTime.now, (now) => repository.collect(DateTime.subtract(now, kept)))
      })
    })
  ).pipe(Layer.provide([AuditRepository.layer, Workspaces.layer]))
}

/** What a member does to themselves. */
export const ownAct = (
  action: AuditAction,
  { id, name }: { readonly id: string; readonly name: string }
): Act => {
  const member = { type: "member", id, name } as const
  return { workspace_id: null, actor: member, action, subject: member }
}

export const theInstance: AuditActor = { type: "instance", id: null, name: null }

/** The credential of the request. Its name is looked up where the act is stored. */
export const actingCredential = Effect.gen(function* () {
  const { grant, key_id, member } = yield* CurrentActor
  if (member !== null) return { type: "member", id: member.id, name: member.name } satisfies AuditActor
  if (grant !== null) return { type: "app", id: grant.id, name: grant.app } satisfies AuditActor
  if (key_id !== null) return { type: "api_key", id: key_id, name: null } satisfies AuditActor
  // At its start the instance acts with the rights of the configuration's key, without a request.
  const asked = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
  return Option.isNone(asked) ? theInstance : ({ type: "api_key", id: null, name: null } satisfies AuditActor)
})
