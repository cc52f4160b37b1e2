import { longestReviewReason } from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TokenVault } from "../accounts/TokenVault.ts"
import { PublishError, type Reviewed } from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { nextReviewAt, onceMoreAt } from "../publishing/ReviewTimes.ts"
import { PostEvents } from "./PostEvents.ts"
import { PostRepository } from "./PostRepository.ts"
import { type Finding, ReviewRepository, type ReviewRow } from "./ReviewRepository.ts"

/** How long a process may take to ask before another one may. */
const lease = Duration.minutes(5)
const batch = 50

/** What platforms found that review posts after they were published. docs/decisions/0099-reviews.md */
export class Reviews extends Context.Service<
  Reviews,
  {
    /** Asks about the posts that are due, a batch of them. Of several processes each post has one that does. */
    readonly ask: Effect.Effect<void>
  }
>()("@carillon/server/posts/Reviews") {
  static readonly layer = Layer.effect(
    Reviews,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reviews = yield* ReviewRepository
      const posts = yield* PostRepository
      const events = yield* PostEvents
      const platforms = yield* Platforms
      const vault = yield* TokenVault

      const asked = Effect.fnUntraced(function* (row: ReviewRow) {
        const { platform, platform_data: data, remote_id, social_account_id: id } = row
        const adapter = Option.getOrUndefined(platforms.get(platform))
        const review = adapter?.review
        if (adapter === undefined || review === undefined) return yield* notOffered
        return yield* vault.use(adapter, { id, remote_id }, (credentials) =>
          review({ data, remote_id }, credentials)
        )
      })

      const change = Effect.fnUntraced(
        function* (row: ReviewRow, finding: Finding, at: DateTime.Utc | null, now: DateTime.Utc) {
          // The engine's settlements lock the post first too.
          const post = yield* posts.lock(row.workspace_id, row.post_id)
          if (Option.isNone(post) || !(yield* reviews.keep(row, finding, at))) return
          yield* posts.follow(row.post_id, post.value.status, now)
          if (finding.review === "rejected") yield* events.rejected(row.workspace_id, row.post_id, row.id)
        },
        (effect) => sql.withTransaction(effect).pipe(Effect.catchTag("SqlError", Effect.die))
      )

      const settle = Effect.fnUntraced(function* (row: ReviewRow, found: Reviewed) {
        const now = yield* DateTime.now
        const before = row.platform_data.review
        const isNew = found._tag !== before
        switch (found._tag) {
          case "pending": {
            const at = nextReviewAt(row.published_at, now)
            return yield* isNew ? change(row, { review: "pending" }, at, now) : reviews.putOff(row, at)
          }
          case "approved":
            return yield* isNew
              ? change(row, { review: "approved" }, onceMoreAt(now), now)
              : reviews.putOff(row, null)
          case "rejected": {
            const review_reason = found.reason?.slice(0, longestReviewReason) ?? null
            return yield* change(row, { review: "rejected", review_reason }, null, now)
          }
        }
      })

      const putOff = Effect.fnUntraced(function* (row: ReviewRow, { retry_at }: PublishError) {
        const next = nextReviewAt(row.published_at, yield* DateTime.now)
        yield* reviews.putOff(row, next && DateTime.max(next, retry_at ?? next))
      })

      /** One post after the other. After a failure the rest of the account waits too. */
      const askAll = Effect.fnUntraced(
        function* (rows: ReadonlyArray<ReviewRow>) {
          let failure: PublishError | undefined
          for (const row of rows) {
            if (failure === undefined)
              failure = yield* asked(row).pipe(
                Effect.flatMap((found) => settle(row, found)),
                Effect.as(undefined),
                Effect.catchTag("PublishError", Effect.succeed)
              )
            if (failure === undefined) continue
            yield* putOff(row, failure)
            yield* Effect.logDebug(
              `the review of ${row.id} on ${row.platform} is asked for later: ${failure.message}`
            )
          }
        },
        Effect.catchDefect((defect) =>
          Effect.logError("asking an account's network about reviews failed", defect)
        )
      )

      const ask = Effect.gen(function* () {
        const now = yield* DateTime.now
        const due = yield* reviews.take(now, DateTime.addDuration(now, lease), batch)
        const accounts = Map.groupBy(due, ({ social_account_id }) => social_account_id)
        yield* Effect.forEach(accounts.values(), askAll, { concurrency: 4, discard: true })
      })

      return Reviews.of({ ask })
    })
  ).pipe(Layer.provide([ReviewRepository.layer, PostRepository.layer, PostEvents.layer]))
}

const notOffered = new PublishError({
  class: "config",
  code: "review_not_offered",
  message: "This instance cannot ask that network about reviews."
})
