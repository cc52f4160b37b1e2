import {
  type CreateWorkspace,
  CurrentActor,
  type NewWorkspace,
  type Page,
  type Workspace
} from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { actingCredential, Audit } from "../audit/Audit.ts"
import { ApiKeys } from "../auth/ApiKeys.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"

/** The workspaces of this instance, for the default one's admin. */
export class InstanceWorkspaces extends Context.Service<
  InstanceWorkspaces,
  {
    create(request: CreateWorkspace): Effect.Effect<NewWorkspace, never, CurrentActor>
    list(page: Page): Effect.Effect<{ data: ReadonlyArray<Workspace>; total: number }>
  }
>()("@carillon/server/profile/InstanceWorkspaces") {
  static readonly layer = Layer.effect(
    InstanceWorkspaces,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const workspaces = yield* Workspaces
      const keys = yield* ApiKeys
      const audit = yield* Audit

      const create = Effect.fn("InstanceWorkspaces.create")(function* ({ name, timezone }: CreateWorkspace) {
        return yield* Effect.gen(function* () {
          const workspace = yield* workspaces.create(name, timezone)
          yield* audit.record({
            workspace_id: null,
            actor: yield* actingCredential,
            action: "workspace.created",
            subject: { type: "workspace", id: workspace.id, name }
          })
          return { ...workspace, api_key: yield* keys.firstOf(workspace) }
        }).pipe(sql.withTransaction, Effect.orDie)
      })

      const list = Effect.fn("InstanceWorkspaces.list")(function* (page: Page) {
        return yield* workspaces.list(page)
      })

      return InstanceWorkspaces.of({ create, list })
    })
  )
}
