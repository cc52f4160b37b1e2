import {
  type Conflict,
  CurrentActor,
  type Forbidden,
  type NotFound,
  type Post,
  type PreconditionFailed,
  type RefusePost
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Audit } from "../audit/Audit.ts"
import { decided, decisionOf, isHeldWarning } from "./ApprovalHold.ts"
import type { StoredApproval } from "./StoredApproval.ts"
import { PostAccess } from "./PostAccess.ts"
import { ApprovalListRepository } from "./ApprovalListRepository.ts"
import type { PostRow } from "./PostColumns.ts"
import { PostEvents } from "./PostEvents.ts"
import { PostRepository } from "./PostRepository.ts"
import type { TargetRow } from "./TargetColumns.ts"
import { type Versioned, versioned } from "./PostVersion.ts"

/** A post that waits for a person's approval, with the request, which only they are shown. */
export interface WaitingPost extends Versioned {
  readonly approval: StoredApproval
}

/** The posts of apps that a person has to approve: `Posts.update` does that. */
export class PostApprovals extends Context.Service<
  PostApprovals,
  {
    /** The waiting posts, oldest first; `more`: there are others. */
    readonly waiting: Effect.Effect<
      { readonly data: ReadonlyArray<WaitingPost>; readonly more: boolean },
      never,
      CurrentActor
    >
    /** Drafts of apps that do not ask to go out, the newest first. */
    readonly draftsOfApps: Effect.Effect<ReadonlyArray<Post>, never, CurrentActor>
    /** A whole post for the person who decides; `waiting` is null where nobody has to. */
    get(
      id: string
    ): Effect.Effect<{ readonly post: Post; readonly waiting: WaitingPost | null }, NotFound, CurrentActor>
    /** Refuses to let a post go out. It stays a draft, which its app may change. */
    refuse(
      id: string,
      asked: RefusePost,
      ifMatch: string | undefined
    ): Effect.Effect<Versioned, Forbidden | NotFound | Conflict | PreconditionFailed, CurrentActor>
  }
>()("@carillon/server/posts/PostApprovals") {
  static readonly layer = Layer.effect(
    PostApprovals,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const access = yield* PostAccess
      const repository = yield* PostRepository
      const lists = yield* ApprovalListRepository
      const events = yield* PostEvents
      const audit = yield* Audit

      const waiting = Effect.gen(function* () {
        const actor = yield* CurrentActor
        const ids = yield* lists.waiting(actor.workspace_id, shownWaiting + 1)
        const found = yield* repository.withTargets(ids.slice(0, shownWaiting))
        return {
          data: found.flatMap(({ post, targets }) => toWaiting(post, targets) ?? []),
          more: ids.length > shownWaiting
        }
      })

      const draftsOfApps = Effect.gen(function* () {
        const actor = yield* CurrentActor
        const ids = yield* lists.draftsOfApps(actor.workspace_id, shownDrafts)
        const found = yield* repository.withTargets(ids)
        return found.map(({ post, targets }) => versioned(post, targets).post)
      })

      const get = Effect.fn("PostApprovals.get")(function* (text: string) {
        const row = yield* access.find(text)
        const targets = yield* repository.targetsOf(row.id)
        return { post: versioned(row, targets).post, waiting: toWaiting(row, targets) }
      })

      const refuse = Effect.fn("PostApprovals.refuse")(function* (
        text: string,
        { reason }: RefusePost,
        ifMatch: string | undefined
      ) {
        return yield* Effect.gen(function* () {
          const { workspace_id } = yield* CurrentActor
          const row = yield* access.lockWaiting(text, ifMatch)
          const now = yield* DateTime.now
          const refused: PostRow = {
            ...row,
            approval: {
              ...row.approval,
              ...decisionOf(yield* CurrentActor, now),
              status: "refused",
              reason: reason?.trim() || null
            },
            warnings: row.warnings.filter((warning) => !isHeldWarning(warning)),
            version: row.version + 1,
            updated_at: now
          }
          const isTold = yield* repository.decide(refused)
          yield* decided(audit, "post.refused", row.id)
          const changed = versioned(refused, yield* repository.targetsOf(row.id))
          if (isTold) yield* events.changed(workspace_id, row, refused, changed.post)
          return changed
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      })

      return PostApprovals.of({ waiting, draftsOfApps, get, refuse })
    })
  ).pipe(
    Layer.provide([PostAccess.layer, PostRepository.layer, ApprovalListRepository.layer, PostEvents.layer])
  )
}

/** How many waiting posts are listed at once. */
const shownWaiting = 50
const shownDrafts = 20

const toWaiting = (row: PostRow, targets: ReadonlyArray<TargetRow>): WaitingPost | null =>
  row.status === "draft" && row.approval?.status === "waiting"
    ? { ...versioned(row, targets), approval: row.approval }
    : null
