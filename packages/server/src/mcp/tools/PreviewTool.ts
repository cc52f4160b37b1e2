import {
  type BadRequest,
  chainItems,
  type Conflict,
  CurrentActor,
  type ContentTooLarge,
  type Forbidden,
  Media,
  mostChainItems,
  mostProblems,
  PlatformId,
  rulesFor,
  PostSummary,
  type PostValid,
  placementFacts,
  placementOf,
  problem,
  ProblemItem,
  resolveContent,
  SocialAccount,
  SocialAccountId,
  textLength,
  textUnits,
  Timestamp,
  sees
} from "@carillon/domain"
import { Effect, Option, Result, Schema } from "effect"
import { SocialAccounts } from "../../accounts/SocialAccounts.ts"
import { AppConfig } from "../../AppConfig.ts"
import { MediaLibrary } from "../../media/MediaLibrary.ts"
import { Posts } from "../../posts/Posts.ts"
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

/** One of the posts that follow in a chain. */
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
      thread: Schema.optionalKey(Schema.Array(PreviewItem).check(Schema.isMaxLength(mostChainItems - 1))),
      problems: Schema.Array(Schema.String).check(Schema.isMaxLength(mostProblems))
    })
  ).check(Schema.isMaxLength(200)),
  shortened: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "ToolPreview" })

/** What the page for hosts draws a preview from. */
const PreviewForApp = Schema.Struct({
  accounts: Schema.Array(
    Schema.Struct({
      account: SocialAccount,
      caption: Schema.String,
      media: Schema.Array(Schema.String),
      options: Schema.Record(Schema.String, Schema.Unknown),
      following: Schema.Array(Schema.Struct({ caption: Schema.String, media: Schema.Array(Schema.String) })),
      facts: Schema.Struct({
        placement: Schema.String,
        text_only: Schema.Boolean,
        takes_text: Schema.Boolean,
        takes_images: Schema.Boolean
      })
    })
  ),
  media: Schema.Array(Media),
  /** A person publishes what the app makes. */
  needs_approval: Schema.Boolean,
  timezone: Schema.String,
  public_url: Schema.String
})

/** The options that name a picture of the library. */
const coversIn = ({ cover_image, thumbnail }: Readonly<Record<string, unknown>>) =>
  [cover_image, thumbnail].filter((id) => typeof id === "string")

/** Previews a post as each account would get it, with all its problems. */
export const makePreviewTool = Effect.gen(function* () {
  const { publicUrl } = yield* AppConfig
  const posts = yield* Posts
  const accounts = yield* SocialAccounts
  const library = yield* MediaLibrary

  return mcpTool({
    name: "preview_post",
    title: "Preview a post",
    description:
      "Show what create_post with the same arguments would do, without creating anything: per account the final caption with its " +
      "length and limit, the media, and every problem; when it would go out; warnings. Use it before publishing at once, when a " +
      "caption may be too long, or to let the user decide; not for an existing post (get_post). No queue slot is reserved.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    scope: "posts:read",
    input: Schema.Struct(newContent),
    output: Preview,
    meta: shownInApp,
    forApp: PreviewForApp,
    run: Effect.fnUntraced(function* (request) {
      const { timezone, social_accounts, grant } = yield* CurrentActor
      const foreign = request.social_accounts.filter((id) => !sees(id, social_accounts))
      if (foreign.length > 0) {
        return yield* problem(
          "account_not_allowed",
          `The social account ${foreign.join(", ")} is not shared with this connection.`
        )
      }
      const checked = yield* Effect.result(posts.validate(request))
      const content = {
        caption: request.caption ?? null,
        media: request.media ?? [],
        thread: request.thread ?? null,
        thread_fallback: request.thread_fallback ?? null,
        platform_configurations: request.platform_configurations ?? null,
        account_configurations: request.account_configurations ?? null
      }
      const problems = problemsOf(checked)
      const problemsOn = (account: number) => problems.filter(({ account_id }) => account_id === account)
      const resolved = (yield* accounts.shown(request.social_accounts))
        .map((account) => {
          const own = resolveContent(content, account.platform, account.id)
          return { account, content: own, items: chainItems(rulesFor(account), own) }
        })
        // What has to be seen stays where the list is cut.
        .toSorted((one, other) => problemsOn(other.account.id).length - problemsOn(one.account.id).length)
      const ids = resolved.flatMap(({ content: { options }, items }) => [
        ...items.flatMap(({ media }) => media),
        ...coversIn(options)
      ])
      const found = yield* Effect.forEach([...new Set(ids)], (id) => Effect.option(library.get(id)))
      const items = new Map(found.flatMap(Option.toArray).map((item) => [item.id as string, item]))
      const itemsOf = (media: ReadonlyArray<string>) => media.flatMap((id) => items.get(id) ?? [])
      const zone = zoneOf(request, timezone)
      const outcome = Result.isSuccess(checked) ? checked.success : yield* posts.timeOf(request)
      const preview = {
        valid: Result.isSuccess(checked),
        // A post that a person wants to approve first is kept as a draft.
        goes_out:
          request.is_draft === true || grant?.needs_approval === true
            ? "never"
            : publishesNow(request) || (Result.isSuccess(checked) && outcome.scheduled_at === null)
              ? "now"
              : "later",
        scheduled_at: outcome.scheduled_at,
        scheduled_at_local: localTimeOrNull(outcome.scheduled_at, zone),
        warnings: outcome.warnings,
        problems: problems.filter(({ account_id }) => account_id === undefined),
        accounts: resolved.map(({ account, items: chain }) => {
          const [first, ...thread] = chain.map(({ caption, index, media, options }) => {
            const placement = placementOf(rulesFor(account), options, itemsOf(media))
            const urls = index === 0 ? (request.media_urls ?? []) : []
            return {
              placement: placement.name,
              caption,
              caption_length: textLength(caption, placement.caption),
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
      const forApp = {
        accounts: resolved.map(({ account, content, items: [first, ...following] }) => ({
          account,
          caption: content.caption,
          media: content.media,
          options: content.options,
          following: following.map(({ caption, media }) => ({ caption, media })),
          facts: placementFacts(rulesFor(account), first!.options, itemsOf(first!.media))
        })),
        media: [...items.values()],
        needs_approval: grant?.needs_approval === true,
        timezone: zone,
        public_url: publicUrl
      } satisfies typeof PreviewForApp.Type
      const shown = fitted(preview)
      return {
        ...shown,
        ...(shown === preview
          ? {}
          : {
              shortened: `Texts are cut, and ${shown.accounts.length} of ${resolved.length} accounts shown, those with problems first.${resolved.length > 1 ? " Preview fewer accounts to see more of each." : ""}`
            }),
        forApp
      }
    })
  })
})

type Checked = Result.Result<PostValid, BadRequest | Forbidden | Conflict | ContentTooLarge>

const problemsOf = (checked: Checked): ReadonlyArray<ProblemItem> =>
  Result.match(checked, { onSuccess: () => [], onFailure: ({ errors }) => errors })
