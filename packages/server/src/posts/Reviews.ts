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
/** Each is a call of its own, and a run follows every five seconds: Google allows 300 calls a minute. */
const batch = 10

/** Failures that are not about one post alone. */
const ofAccount: ReadonlySet<PublishError["class"]> = new Set([
  "rate_limited",
  "quota_exhausted",
  "transient",
  "reconnect",
  "config"
])

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

      const settle = Effect.fnUntraced(function* (row: ReviewRow, found: Reviewed | null) {
        if (found === null) return yield* reviews.putOff(row, null)
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

      const putOff = Effect.fnUntraced(function* (row: ReviewRow, retry_at?: DateTime.Utc) {
        const next = nextReviewAt(row.published_at, yield* DateTime.now)
        yield* reviews.putOff(row, next && DateTime.max(next, retry_at ?? next))
      })

      /** One post after the other. After a failure that is not about that post alone, the rest of the account waits too. */
      const askAll = Effect.fnUntraced(
        function* (rows: ReadonlyArray<ReviewRow>) {
          let failure: PublishError | undefined
          for (const row of rows) {
            const failed: PublishError | undefined =
              failure ??
              (yield* asked(row).pipe(
                Effect.flatMap((found) => settle(row, found)),
                Effect.as(undefined),
                Effect.catchTag("PublishError", Effect.succeed)
              ))
            if (failed === undefined) continue
            if (ofAccount.has(failed.class)) failure = failed
            yield* putOff(row, failed.retry_at)
            yield* Effect.logDebug(
              `the review of ${row.id} on ${row.platform} is asked for later: ${failed.message}`
            )
          }
        },
        (effect, rows) =>
          effect.pipe(
            // Those that have been put off already are not held any more, and stay as they are.
            Effect.tapDefect(() => Effect.forEach(rows, (row) => putOff(row), { discard: true })),
            Effect.catchDefect((defect) =>
              Effect.logError("asking an account's network about reviews failed", defect)
            )
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
