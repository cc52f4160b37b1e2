import {
  type BadRequest,
  type Conflict,
  CurrentActor,
  type ContentTooLarge,
  type Forbidden,
  isHeld,
  mostProblems,
  mostThreadItems,
  PlatformId,
  rulesFor,
  PostSummary,
  type PostValid,
  placementOf,
  ProblemItem,
  SocialAccountId,
  textLength,
  textUnits,
  Timestamp
} from "@carillon/domain"
import { Effect, Result, Schema } from "effect"
import { requireAccounts } from "../../posts/PostAccess.ts"
import { newContent as newContentOf } from "../../posts/PostContent.ts"
import { Posts } from "../../posts/Posts.ts"
import { makeResolvedPost } from "../../posts/ResolvedPost.ts"
import { shownInApp } from "../app/App.ts"
import { mcpTool } from "../McpTool.ts"
import { fitted } from "./AnswerSize.ts"
import { LocalTime, localTimeOrNull, zoneOf } from "./LocalTime.ts"
import { newContent, publishesNow } from "./PostArguments.ts"

const item = {
  placement: Schema.String.annotate({ description: "Which kind of post it becomes there." }),
  caption: Schema.String,
  caption_length: Schema.Int,
  caption_limit: Schema.Int,
  caption_unit: Schema.String,
  media: Schema.Array(
    Schema.Struct({
      id: Schema.NullOr(Schema.String),
      name: Schema.NullOr(Schema.String),
      mime_type: Schema.NullOr(Schema.String),
      url: Schema.NullOr(Schema.String)
    })
  ).check(Schema.isMaxLength(200))
}

/** One of the posts that follow in a thread. */
const PreviewItem = Schema.Struct(item).annotate({ identifier: "PreviewItem" })

const Preview = Schema.Struct({
  valid: Schema.Boolean.annotate({
    description: "It can go out as it is. create_post accepts a draft even with problems."
  }),
  goes_out: Schema.Literals(["now", "later", "never"]).annotate({
    description:
      "now: at once; later: at scheduled_at; never: it would be a draft (and wait for the user, where the warnings say so)."
  }),
  scheduled_at: Schema.NullOr(Timestamp),
  scheduled_at_local: Schema.NullOr(LocalTime),
  warnings: PostSummary.fields.warnings,
  problems: Schema.Array(ProblemItem).check(Schema.isMaxLength(mostProblems + 1)),
  accounts: Schema.Array(
    Schema.Struct({
      account_id: SocialAccountId,
      platform: PlatformId,
      username: Schema.String,
      ...item,
      thread: Schema.optionalKey(Schema.Array(PreviewItem).check(Schema.isMaxLength(mostThreadItems - 1))),
      problems: Schema.Array(Schema.String).check(Schema.isMaxLength(mostProblems))
    })
  ).check(Schema.isMaxLength(200)),
  shortened: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "ToolPreview" })

/** Previews a post as each account would get it, with all its problems. */
export const makePreviewTool = Effect.gen(function* () {
  const posts = yield* Posts
  const resolve = yield* makeResolvedPost

  return mcpTool({
    name: "preview_post",
    title: "Preview a post",
    description:
      "Show what create_post would do with these arguments, without creating anything: per account the final caption with its " +
      "length and limit, the media, and every problem; when it would go out; warnings. Use it before publishing at once, when a " +
      "caption may be too long, or to let the user decide; not for an existing post (get_post). No queue slot is reserved, and files " +
      "of media_urls are not looked at.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    scope: "posts:read",
    input: Schema.Struct(newContent),
    output: Preview,
    meta: shownInApp,
    run: Effect.fnUntraced(function* (request) {
      const actor = yield* CurrentActor
      yield* requireAccounts(request.social_accounts)
      const { accounts, itemsOf } = yield* resolve(newContentOf(request, request.media ?? []))
      const checked = yield* Effect.result(posts.validate(request))
      const problems = problemsOf(checked)
      const problemsOn = (account: number) => problems.filter(({ account_id }) => account_id === account)
      // What has to be seen stays where the list is cut.
      const resolved = accounts.toSorted(
        (one, other) => problemsOn(other.account.id).length - problemsOn(one.account.id).length
      )
      const zone = zoneOf(request, actor.timezone)
      const outcome = Result.isSuccess(checked) ? checked.success : yield* posts.timeOf(request)
      const preview = {
        valid: Result.isSuccess(checked),
        // A post that a person wants to approve first is kept as a draft.
        goes_out:
          request.is_draft === true || isHeld(actor)
            ? "never"
            : publishesNow(request) || (Result.isSuccess(checked) && outcome.scheduled_at === null)
              ? "now"
              : "later",
        scheduled_at: outcome.scheduled_at,
        scheduled_at_local: localTimeOrNull(outcome.scheduled_at, zone),
        warnings: outcome.warnings,
        problems: problems.filter(({ account_id }) => account_id === undefined),
        accounts: resolved.map(({ account, items }) => {
          const [first, ...thread] = items.map(({ caption, index, media, options }) => {
            const rules = rulesFor(account)
            const placement = placementOf(rules, options, itemsOf(media))
            const counted = rules.counted?.({ caption, options }) ?? caption
            const urls = index === 0 ? (request.media_urls ?? []) : []
            return {
              placement: placement.name,
              caption,
              caption_length: textLength(counted, placement.caption),
              caption_limit: placement.caption.max,
              caption_unit: textUnits[placement.caption.unit],
              media: [
                ...itemsOf(media).map(({ id, name, mime_type, url }) => ({ id, name, mime_type, url })),
                ...urls.map((url) => ({ id: null, name: null, mime_type: null, url }))
              ]
            }
          })
          return {
            account_id: account.id,
            platform: account.platform,
            username: account.username,
            ...first!,
            ...(thread.length === 0 ? {} : { thread }),
            problems: problemsOn(account.id).map(({ message }) => message)
          }
        })
      } satisfies typeof Preview.Type
      const shown = fitted(preview)
      return {
        ...shown,
        ...(shown === preview
          ? {}
          : {
              shortened: `Texts are cut, and ${shown.accounts.length} of ${resolved.length} accounts shown, those with problems first.${resolved.length > 1 ? " Preview fewer accounts to see more of each." : ""}`
            })
      }
    })
  })
})

type Checked = Result.Result<PostValid, BadRequest | Forbidden | Conflict | ContentTooLarge>

const problemsOf = (checked: Checked): ReadonlyArray<ProblemItem> =>
  Result.match(checked, { onSuccess: () => [], onFailure: ({ errors }) => errors })
