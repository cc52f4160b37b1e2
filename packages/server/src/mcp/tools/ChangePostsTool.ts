import { CurrentActor, type Problem, problem, truncate } from "@carillon/domain"
import { Effect, Schema } from "effect"
import { AppConfig } from "../../AppConfig.ts"
import { mcpTool } from "../McpTool.ts"
import { nextStepsFor, problemLines } from "../ToolResults.ts"
import { isLong } from "./AnswerSize.ts"
import { zoneOf } from "./LocalTime.ts"
import { newContent, changes, postId, publishesNow } from "./PostArguments.ts"
import { makePostChanges } from "./PostChanges.ts"
import { makePostAnswers } from "./ToolPost.ts"

const mostChanges = 50
/** As long as what happened to each may be, so that all of them fit. */
const longest = [500, 200, 100]
const several = <S extends Schema.Top>(item: S) =>
  Schema.optionalKey(Schema.NullOr(Schema.Array(item).check(Schema.isMaxLength(mostChanges))))

const Outcome = Schema.Struct({
  action: Schema.Literals(["delete", "update", "create"]),
  index: Schema.Int,
  post_id: Schema.NullOr(Schema.String),
  ok: Schema.Boolean,
  what_happened: Schema.String
})
type Outcome = typeof Outcome.Type
const timeRequired = problem(
  "time_required",
  "It has no time; give scheduled_at, use_queue or is_draft: true. change_posts publishes nothing at once: that is create_post."
)
/** Of several items that fail alike, what to do is said once. */
type Done = Outcome & { readonly steps?: ReadonlyArray<string> }

/** Makes, changes and deletes many posts in one call. */
export const makeChangePostsTool = Effect.gen(function* () {
  const changesOfPosts = yield* makePostChanges
  const answers = yield* makePostAnswers
  const { publicUrl } = yield* AppConfig

  return mcpTool({
    name: "change_posts",
    title: "Change many posts",
    description:
      `Delete, update and create up to ${mostChanges} posts in one call, for example to move a day or cancel an account's. ` +
      "Each item does what delete_post, update_post or create_post would, in that order: a refused one does not stop the " +
      "others, and outcomes says of each whether it is done. Only an argument of a wrong name or form refuses the whole call. A new post " +
      "needs scheduled_at, use_queue or is_draft: true. Deleting cannot be undone and takes a " +
      "post off all of its accounts; to take it off one, update its social_accounts. For one post use its own tool.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    scope: "posts:write",
    input: Schema.Struct({
      delete: several(Schema.String.check(Schema.isMaxLength(100))).annotate({
        description: "Ids of posts."
      }),
      update: several(
        Schema.Struct({ post_id: postId, ...changes }).annotate({ identifier: "ToolUpdate" })
      ).annotate({
        description: "Changes; also with media_urls, thread and platform_configurations. Lists are replaced."
      }),
      create: several(Schema.Struct(newContent).annotate({ identifier: "ToolCreate" })).annotate({
        description:
          "New posts; also with media_urls, thread, platform_configurations and account_configurations."
      }),
      idempotency_key: Schema.optionalKey(
        Schema.NullOr(Schema.String.check(Schema.isPattern(/^[\x20-\x7e]{1,200}$/u)))
      ).annotate({
        description:
          "One for the call, at most 200 characters. After a lost answer, the same call with it does only the rest."
      })
    }),
    output: Schema.Struct({
      outcomes: Schema.Array(Outcome).check(Schema.isMaxLength(mostChanges)),
      failed: Schema.Int,
      next_steps: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(mostChanges)))
    }),
    run: Effect.fnUntraced(function* ({ idempotency_key, ...asked }) {
      const { timezone } = yield* CurrentActor
      const [deletions, updates, creations] = [asked.delete ?? [], asked.update ?? [], asked.create ?? []]
      const count = deletions.length + updates.length + creations.length
      if (count < 1 || count > mostChanges) {
        return yield* problem(
          "invalid_request",
          `The call has ${count} posts in delete, update and create; give 1 to ${mostChanges}.`
        )
      }

      const outcomeOf = <R>(
        action: Outcome["action"],
        index: number,
        post_id: string | null,
        effect: (key: string | null) => Effect.Effect<Pick<Outcome, "post_id" | "what_happened">, Problem, R>
      ): Effect.Effect<Done, never, R> =>
        Effect.match(effect(idempotency_key ? `${idempotency_key}#${action}${index}` : null), {
          onSuccess: (done) => ({ action, index, ok: true, ...done }),
          onFailure: (problem) => ({
            action,
            index,
            post_id,
            ok: false,
            what_happened: problemLines(problem).join("\n"),
            steps: nextStepsFor(problem, publicUrl)
          })
        })
      const done = yield* Effect.all([
        ...deletions.map((id, index) =>
          outcomeOf("delete", index, id, (key) =>
            Effect.map(changesOfPosts.remove(id, key), () => ({
              post_id: id,
              what_happened: "It is deleted."
            }))
          )
        ),
        ...updates.map(({ post_id, ...change }, index) =>
          outcomeOf("update", index, post_id, (key) =>
            Effect.flatMap(changesOfPosts.update(post_id, change, key), (post) =>
              answers.brief(post, zoneOf(change, timezone))
            )
          )
        ),
        ...creations.map((post, index) =>
          outcomeOf("create", index, null, (key) =>
            publishesNow(post)
              ? timeRequired
              : Effect.flatMap(changesOfPosts.create(post, key), (made) =>
                  answers.brief(made, zoneOf(post, timezone))
                )
          )
        )
      ])
      const shortened = longest.map((most) =>
        done.map(({ steps: _, ...one }): Outcome => ({
          ...one,
          what_happened: truncate(one.what_happened, most)
        }))
      )
      const next_steps = [...new Set(done.flatMap(({ steps = [] }) => steps))].slice(0, mostChanges)
      return {
        outcomes: shortened.find((one) => !isLong(one)) ?? shortened.at(-1)!,
        failed: done.filter(({ ok }) => !ok).length,
        ...(next_steps.length === 0 ? {} : { next_steps })
      }
    })
  })
})
