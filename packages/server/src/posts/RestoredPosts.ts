import type { ResultError } from "@carillon/domain"
import { Context, DateTime, Effect, Layer } from "effect"
import { RestoredTargets } from "../engine/RestoredTargets.ts"
import { PostEvents } from "./PostEvents.ts"
import { PostRepository } from "./PostRepository.ts"
import { statusOf } from "./PostView.ts"

/** Posts out of a backup, before the engine sees them. */
export class RestoredPosts extends Context.Service<
  RestoredPosts,
  {
    /**
     * Leaves to a person every target whose time has passed, because the service may have published it since the backup;
     * gives their number. Runs in the transaction of the restore.
     */
    leaveToAPerson(madeAt: string): Effect.Effect<number>
  }
>()("@carillon/server/posts/RestoredPosts") {
  static readonly layer = Layer.effect(
    RestoredPosts,
    Effect.gen(function* () {
      const repository = yield* PostRepository
      const restored = yield* RestoredTargets
      const events = yield* PostEvents

      const leaveToAPerson = Effect.fn("RestoredPosts.leaveToAPerson")(function* (madeAt: string) {
        const now = yield* DateTime.now
        const [error, warning] = [mayBeLive(madeAt), commentInDoubt(madeAt)]
        let count = 0
        while (true) {
          const doubted = Map.groupBy(
            yield* restored.unconfirm(now, error, warning),
            ({ post_id }) => post_id
          )
          if (doubted.size === 0) break
          for (const { workspace_id, post, targets } of yield* repository.withTargets([...doubted.keys()])) {
            yield* repository.follow(post.id, statusOf(targets), now)
            const settled = doubted.get(post.id)!
            count += settled.filter(({ state }) => state === "unconfirmed").length
            const ids = settled.map(({ id }) => id)
            yield* events.settled([{ id: post.id, workspace_id, status_before: post.status, targets: ids }])
          }
        }
        yield* restored.letGo
        return count
      })

      return RestoredPosts.of({ leaveToAPerson })
    })
  ).pipe(Layer.provide([PostRepository.layer, RestoredTargets.layer, PostEvents.layer]))
}

const mayBeLive = (madeAt: string): ResultError => ({
  code: "restored",
  class: "ambiguous",
  message:
    `The service was restored from a backup of ${madeAt}, and may have published this before the backup was restored. Check the ` +
    "account, then confirm the result, or retry the post with force.",
  action: "check_account",
  retry_at: null
})

const commentInDoubt = (madeAt: string) =>
  `The first comment may be missing: the service was restored from a backup of ${madeAt}, made before the comment was posted. Look at the post.`
