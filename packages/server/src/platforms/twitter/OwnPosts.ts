import { xAddresses, xPostsPerRead } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { withoutCharacterReferences } from "../CharacterReferences.ts"
import { PublishError, type PublishRequest } from "../Platform.ts"
import { refuse, statusBeside, statusIn } from "./TwitterErrors.ts"
import type { TwitterHandle } from "./TwitterHandle.ts"
import type { TwitterHttp } from "./TwitterHttp.ts"
import type { PaidCall } from "./Spending.ts"
import { parentOf } from "./ThreadParent.ts"

const words = Schema.optionalKey(Schema.NullOr(Schema.String))
const references = Schema.optionalKey(
  Schema.NullOr(Schema.Array(Schema.Struct({ type: Schema.String, id: Schema.String })))
)
const long = Schema.optionalKey(Schema.NullOr(Schema.Struct({ text: Schema.String })))
const Post = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  created_at: words,
  attachments: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({ media_keys: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))) })
    )
  ),
  // X's description of August 2026 calls them by the second name, and its pages by the first.
  referenced_tweets: references,
  referenced_posts: references,
  note_tweet: long,
  note_post: long
})
interface Post extends Schema.Schema.Type<typeof Post> {}

const Listed = Schema.Struct({
  headers: Schema.Struct({ date: Schema.optionalKey(Schema.String) }),
  body: Schema.Struct({
    data: Schema.optionalKey(Schema.Array(Post)),
    meta: Schema.optionalKey(Schema.Struct({ next_token: words })),
    errors: Schema.optionalKey(Schema.Array(Schema.Unknown))
  })
})

const mostPages = 20
const pageAnswer = 1024 * 1024
/** A clock is set right between a post and the look for it, and an answer takes its time. */
export const slack = Duration.minutes(1)
/** The text of a long post is cut, and whole in its note. */
const fields = "created_at,text,attachments,referenced_tweets,note_tweet"

/** What the account posted since a post was due that may be this post. */
export interface Found {
  readonly alike: ReadonlyArray<string>
  /** Every post of the time in question was seen. */
  readonly complete: boolean
}

/** X takes no key of ours, so a post is found by its files, else by its words and what it answers. */
export const ownPosts = (call: TwitterHttp, api: string) =>
  Effect.fnUntraced(function* (
    request: PublishRequest,
    bearer: string,
    { files }: Pick<TwitterHandle, "files">,
    { beyond }: Pick<PaidCall, "beyond"> = {}
  ): Effect.fn.Return<Found, PublishError> {
    const parent = parentOf(request)
    const alike: Array<string> = []
    let token: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const { body, headers } = yield* call({
        method: "GET",
        url: `${api}/users/${encodeURIComponent(request.remote_id)}/tweets`,
        query: {
          max_results: String(xPostsPerRead),
          "tweet.fields": fields,
          exclude: "retweets",
          ...(token === undefined ? {} : { pagination_token: token })
        },
        bearer,
        price: { call: "post_read", count: xPostsPerRead, ...(beyond === undefined ? {} : { beyond }) },
        statusIn,
        format: "whole",
        maxAnswerBytes: pageAnswer,
        answer: Listed,
        refuse
      })
      if (body.data === undefined && body.errors !== undefined)
        return yield* new PublishError(refuse({ status: statusBeside(body), body }))
      const posts = body.data ?? []
      const since = yield* sinceByTheirClock(headers.date, request.due_at)
      alike.push(
        ...posts.flatMap((post) =>
          isSince(post, since) && isOurs(request, files, parent, post) ? [post.id] : []
        )
      )
      token = body.meta?.next_token ?? undefined
      const last = posts.at(-1)
      // It is not behind what it answers.
      const reached = posts.some(({ id }) => id === parent) || (last !== undefined && !isSince(last, since))
      if (token === undefined || reached) return { alike, complete: true }
    }
    return { alike, complete: false }
  })

/** When X's clock, which may be far from ours, showed the time before which the post was not sent. */
const sinceByTheirClock = (date: string | undefined, due_at: DateTime.Utc) =>
  Effect.map(DateTime.now, (now) => {
    const ahead = Option.match(DateTime.make(date ?? ""), {
      onNone: () => Duration.zero,
      onSome: (theirs) => DateTime.distance(now, theirs)
    })
    return DateTime.subtractDuration(DateTime.addDuration(due_at, ahead), slack)
  })

const isSince = ({ created_at }: Post, since: DateTime.Utc) =>
  Option.match(DateTime.make(created_at ?? ""), {
    onNone: () => true,
    onSome: (at) => DateTime.isGreaterThanOrEqualTo(at, since)
  })

const isOurs = (
  { caption, media }: PublishRequest,
  files: TwitterHandle["files"],
  parent: string | undefined,
  post: Post
) => {
  const keys = post.attachments?.media_keys ?? []
  if (media.length > 0) {
    const ours = media.flatMap(({ id }) => files[id] ?? [])
    return keys.some((key) => ours.some(({ id, media_key }) => key === media_key || key.endsWith(`_${id}`)))
  }
  const answered = (post.referenced_tweets ?? post.referenced_posts ?? []).find(
    ({ type }) => type === "replied_to"
  )
  const text = post.note_tweet?.text ?? post.note_post?.text ?? post.text
  return (
    keys.length === 0 && answered?.id === parent && shown(withoutCharacterReferences(text)) === shown(caption)
  )
}

/** A text as X and the person have it in common: X puts addresses of its own in the place of those in it. */
export const shown = (text: string): string => {
  const composed = text.normalize("NFC")
  let rest = ""
  let from = 0
  for (const { 0: address, index } of xAddresses(composed)) {
    rest += `${composed.slice(from, index)}\0`
    from = index + address.length
  }
  return (rest + composed.slice(from)).replaceAll(/\s+/gu, " ").trim()
}
