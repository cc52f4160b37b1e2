import { type Content, firstCommentOf, type PlatformData, resolveContent, rulesFor } from "@carillon/domain"
import { Effect } from "effect"
import type { ClaimedTarget } from "../engine/ClaimedTarget.ts"
import { type Platform, PublishError, withWarnings } from "../platforms/Platform.ts"

/**
 * A first comment is the second commit of its target: the post is live, and the target waits once more. So a comment has a
 * marker, a fence, tries and a look-up of its own. docs/decisions/0095-first-comments.md
 */
export const isCommenting = ({ item_count, items }: Pick<ClaimedTarget, "item_count" | "items">) =>
  item_count === null && items.length > 0

/** The comment that follows the post of a target; undefined: none does. */
export const firstCommentFor = (
  target: Content & Pick<ClaimedTarget, "item_count" | "limits" | "platform" | "social_account_id">
): string | undefined => {
  const rules = rulesFor(target)
  return target.item_count !== null || rules.first_comment === undefined
    ? undefined
    : firstCommentOf(rules, resolveContent(target, target.platform, target.social_account_id).options)
}

/** The platform as the steps of publishing see it when the comment is what they publish. */
export const commentsOf = (platform: Platform, target: ClaimedTarget): Platform => {
  const { comments } = platform
  const [post] = target.items
  const text = firstCommentFor(target)
  if (comments === undefined || post == null || text === undefined)
    return { ...platform, ...ready, commit: () => Effect.fail(notOffered) }
  const { remote_id, username } = target
  const comment = { post, remote_id, text, username }
  return {
    ...platform,
    ...ready,
    capabilities: { ...platform.capabilities, by_words: false, reconcile: () => "lookup" },
    commit: (_request, credentials) =>
      Effect.map(comments.create(comment, credentials), (id): PlatformData => ({ id, url: null, username })),
    reconcile: (_request, credentials) =>
      Effect.map(comments.find(comment, credentials), (found) =>
        found === "unknown" || found === "not_published"
          ? { _tag: found }
          : { _tag: "published", data: { id: found.id, url: null, username } }
      )
  }
}

const ready: Pick<Platform, "prepare" | "poll" | "confirm"> = {
  prepare: () => Effect.succeed({ _tag: "ready", handle: {} }),
  poll: () => Effect.succeed({ _tag: "ready", handle: {} }),
  confirm: (_request, _credentials, _handle, data) => Effect.succeed(data)
}

/** Why a comment cannot go out any more; undefined: it can. */
export const commentEnded = ({ account_status }: ClaimedTarget, isLate: boolean): PublishError | undefined =>
  isLate ? tooLate : account_status === "connected" ? undefined : notConnected

/** The live post, which says what became of its comment. */
export const withoutComment = (
  { items: [post] }: Pick<ClaimedTarget, "items">,
  sentence: string
): PlatformData | null => (post == null ? null : withWarnings(post, [...(post.warnings ?? []), sentence]))

const notOffered = new PublishError({
  class: "config",
  code: "first_comment_not_offered",
  message: "This release posts no first comment there. Write it yourself."
})

const tooLate = new PublishError({
  class: "missed",
  code: "missed",
  message: "The service could not post it in time. Write it yourself."
})

const notConnected = new PublishError({
  class: "reconnect",
  code: "needs_reconnect",
  message: "The account is not connected any more. Connect it again and write the comment yourself."
})
