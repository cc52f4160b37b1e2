import { cashtags } from "@carillon/domain"
import { Schema } from "effect"
import type { Refused } from "../Exchange.ts"
import type { Publication } from "../Ledger.ts"
import { forbidden, invalid } from "./TwitterAuthorization.ts"
import { parentOf, usualLength, weightOf } from "./TwitterPosts.ts"

const Id = Schema.String.check(Schema.isPattern(/^\d{1,19}$/))
const flag = Schema.optionalKey(Schema.Boolean)
const text = Schema.optionalKey(Schema.String)
const id = Schema.optionalKey(Id)
const reply_settings = Schema.optionalKey(
  Schema.Literals(["following", "mentionedUsers", "subscribers", "verified"])
)

/** The body of `POST /2/tweets` as in version 2.167 of the description. */
export const TwitterDraft = Schema.Struct({
  text,
  media: Schema.optionalKey(
    Schema.Struct({
      media_ids: Schema.Array(Id).check(Schema.isBetweenLength(1, 4)),
      tagged_user_ids: Schema.optionalKey(Schema.Array(Id).check(Schema.isMaxLength(10))),
      preview_media_id: id,
      title: text,
      embeddable: flag,
      call_to_actions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
    })
  ),
  poll: Schema.optionalKey(
    Schema.Struct({
      options: Schema.Array(Schema.String.check(Schema.isBetweenLength(1, 25))).check(
        Schema.isBetweenLength(2, 4)
      ),
      duration_minutes: Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 10_080 })),
      reply_settings
    })
  ),
  reply: Schema.optionalKey(
    Schema.Struct({
      in_reply_to_tweet_id: Id,
      exclude_reply_user_ids: Schema.optionalKey(Schema.Array(Schema.String)),
      auto_populate_reply_metadata: flag
    })
  ),
  quote_tweet_id: id,
  reply_settings,
  community_id: id,
  share_with_followers: flag,
  for_super_followers_only: flag,
  made_with_ai: flag,
  paid_partnership: flag,
  nullcast: flag,
  geo: Schema.optionalKey(Schema.Struct({ place_id: Schema.String })),
  edit_options: Schema.optionalKey(Schema.Struct({ previous_post_id: Id })),
  card_uri: text,
  direct_message_deep_link: text
})
export interface TwitterDraft extends Schema.Schema.Type<typeof TwitterDraft> {}

const subscribersLength = 25_000
const day = 24 * 3_600_000

interface Circumstances {
  readonly account: string
  readonly now: number
  /** The post that it answers. */
  readonly parent: Publication | undefined
  /** The account's own. */
  readonly posts: ReadonlyArray<Publication>
}

/** What X has against a post besides the shape of its request. */
export const draftProblem = (
  { card_uri, edit_options, media, poll, quote_tweet_id, reply, text = "" }: TwitterDraft,
  { account, now, parent, posts }: Circumstances
): Refused | undefined => {
  const longest = account.endsWith("-premium") ? subscribersLength : usualLength
  if (text.trim() === "" && media === undefined && poll === undefined) {
    return invalid("The post has neither text nor media.")
  }
  if (poll !== undefined && (media ?? quote_tweet_id ?? card_uri) !== undefined) {
    return invalid("A poll excludes media, quote_tweet_id and card_uri.")
  }
  if (weightOf(text) > longest || (quote_tweet_id ?? edit_options) !== undefined) {
    return forbidden("You are not permitted to perform this action.")
  }
  if ((text.match(cashtags)?.length ?? 0) > 1) return forbidden("Posts may have a maximum of one cashtag.")
  if (reply !== undefined && parent === undefined) {
    return forbidden("You attempted to reply to a Tweet that is deleted or not visible to you.")
  }
  const continues = parent?.account === account && !account.endsWith("-selfserve")
  if (parent !== undefined && !continues && !parent.text.includes(`@${account}`)) {
    return forbidden(
      "Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to."
    )
  }
  const isRepeated = posts.some(
    (earlier) =>
      earlier.text === text &&
      earlier.media.length === 0 &&
      parentOf(earlier) === parent?.id &&
      Date.parse(earlier.published_at) > now - day
  )
  return isRepeated && media === undefined
    ? forbidden("You are not allowed to create a Tweet with duplicate content.")
    : undefined
}
