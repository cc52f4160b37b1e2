import { type Post, type PostId, SocialAccountId, type TargetId, type WorkspaceId } from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import type { SettledPost } from "../engine/Settled.ts"
import { Events, type NewEvent } from "../events/Events.ts"
import { eventsOf } from "./eventsOf.ts"
import type { PostRow } from "./PostColumns.ts"
import { PostRepository } from "./PostRepository.ts"
import { toPost, toResult } from "./PostView.ts"

/** Appends the events of posts in the transaction that changes them. */
export class PostEvents extends Context.Service<
  PostEvents,
  {
    /** Of a change from `before` to `row`, with the post as the API shows it now. */
    changed(workspaceId: WorkspaceId, before: PostRow, row: PostRow, post: Post): Effect.Effect<void>
    /** Posts of which something changed that no request named. */
    updated(ids: ReadonlyArray<PostId>): Effect.Effect<void>
    deleted(workspaceId: WorkspaceId, row: PostRow): Effect.Effect<void>
    scheduled(workspaceId: WorkspaceId, post: Post): Effect.Effect<void>
    /** A `post.result` for each settled target, and an event for the end of a post. Its status is up to date already. */
    settled(posts: ReadonlyArray<SettledPost>): Effect.Effect<void>
    /** The platform has reviewed a published target and rejected it. */
    rejected(workspaceId: WorkspaceId, postId: PostId, targetId: TargetId): Effect.Effect<void>
  }
>()("@carillon/server/posts/PostEvents") {
  static readonly layer = Layer.effect(
    PostEvents,
    Effect.gen(function* () {
      const events = yield* Events
      const repository = yield* PostRepository

      const changed = (workspace_id: WorkspaceId, before: PostRow, row: PostRow, data: Post) =>
        events.append(eventsOf(before, row).map((type) => ({ workspace_id, subject: row.id, type, data })))

      const updated = Effect.fn("PostEvents.updated")(function* (ids: ReadonlyArray<PostId>) {
        const posts = yield* repository.withTargets(ids)
        yield* events.append(
          posts.map(({ post, targets, workspace_id }) => ({
            workspace_id,
            subject: post.id,
            type: "post.updated",
            data: toPost(post, targets)
          }))
        )
      })

      const deleted = (workspace_id: WorkspaceId, { id, social_accounts }: PostRow) =>
        events.append([
          {
            workspace_id,
            subject: id,
            type: "post.deleted",
            data: { id, social_accounts: social_accounts.map((one) => SocialAccountId.make(one)) }
          }
        ])

      const scheduled = (workspace_id: WorkspaceId, post: Post) =>
        events.append([{ workspace_id, subject: post.id, type: "post.scheduled", data: post }])

      const settled = Effect.fn("PostEvents.settled")(function* (posts: ReadonlyArray<SettledPost>) {
        const told = yield* repository.withTargets(posts.map(({ id }) => id))
        const settledPosts = new Map(posts.map((post) => [post.id, post]))
        yield* events.append(
          told.flatMap(({ workspace_id, post: row, targets }) => {
            const before = settledPosts.get(row.id)!
            const about = { workspace_id, subject: row.id }
            const results = targets
              .filter(({ id }) => before.targets.includes(id))
              .map((target): NewEvent => ({ ...about, type: "post.result", data: toResult(target) }))
            if (row.status === before.status_before) return results
            if (row.status !== "published" && row.status !== "failed") return results
            return [...results, { ...about, type: `post.${row.status}`, data: toPost(row, targets) }]
          })
        )
      })

      const rejected = Effect.fn("PostEvents.rejected")(function* (
        workspace_id: WorkspaceId,
        subject: PostId,
        targetId: TargetId
      ) {
        const targets = yield* repository.targetsOf(subject)
        yield* events.append(
          targets
            .filter(({ id }) => id === targetId)
            .map((target) => ({ workspace_id, subject, type: "result.rejected", data: toResult(target) }))
        )
      })

      return PostEvents.of({ changed, updated, deleted, scheduled, settled, rejected })
    })
  ).pipe(Layer.provide([PostRepository.layer, Events.layer]))
}
