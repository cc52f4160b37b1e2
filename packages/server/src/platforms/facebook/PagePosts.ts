import { DateTime, Duration, Effect, Schema } from "effect"
import { type Graph, Paging, timeOf } from "../meta/Graph.ts"
import { refuseOfAccount } from "../meta/GraphErrors.ts"
import { plainWords } from "../PlainWords.ts"
import type { PublishError, PublishRequest, Taken } from "../Platform.ts"
import { shortAnswer } from "../PlatformHttp.ts"
import { refuseGraph } from "./FacebookErrors.ts"
import type { FacebookHandle } from "./FacebookHandle.ts"

const Attachment = {
  media_type: Schema.optionalKey(Schema.String),
  target: Schema.optionalKey(Schema.Struct({ id: Schema.optionalKey(Schema.String) }))
}
const listOf = <S extends Schema.Constraint>(item: S) =>
  Schema.optionalKey(Schema.Struct({ data: Schema.Array(item) }))
const Post = Schema.Struct({
  id: Schema.String,
  message: Schema.optionalKey(Schema.String),
  created_time: Schema.String,
  permalink_url: Schema.optionalKey(Schema.String),
  from: Schema.optionalKey(Schema.Struct({ id: Schema.optionalKey(Schema.String) })),
  attachments: listOf(Schema.Struct({ ...Attachment, subattachments: listOf(Schema.Struct(Attachment)) }))
})
interface Post extends Schema.Schema.Type<typeof Post> {}

const Feed = Schema.Struct({ data: Schema.Array(Post), paging: Paging })
const Stories = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      post_id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Int])),
      media_id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Int])),
      url: Schema.optionalKey(Schema.String)
    })
  )
})

/** How many posts a page of the feed holds, and how many pages are read at most. */
const pageSize = 25
const mostPages = 20
/** Posts of 63,206 characters, of which each may be written as six bytes; most are far shorter. */
const feedAnswer = 4 * 1024 * 1024
const storiesAnswer = 256 * 1024
const newestStories = 100

/** A clock is set right between a post and the look for it, and an answer takes its time. */
const slack = Duration.minutes(1)

const parts = "media_type,target{id}"
const fields = `id,message,created_time,permalink_url,from,attachments{${parts},subattachments{${parts}}}`

interface Found {
  readonly post: Pick<Post, "id" | "permalink_url"> | undefined
  /** It has this one's pictures, which no other post has. */
  readonly exact: boolean
  /** Where none is found: there is none. Every post of the time in question was seen, and none may be this one. */
  readonly certain: boolean
}

/** Facebook takes no key of ours, so a post is found by its pictures, or else by its words. */
export const pagePosts = ({ get }: Graph<"facebook">) => {
  const read = <S extends Schema.ConstraintDecoder<unknown>>(
    token: string,
    { remote_id }: Pick<PublishRequest, "remote_id">,
    edge: string,
    query: Readonly<Record<string, string>>,
    answer: S,
    maxAnswerBytes: number
  ) =>
    get({ login: "facebook", token }, `${remote_id}/${edge}`, query, answer, {
      maxAnswerBytes,
      refuse: refuseOfAccount("Facebook", remote_id, refuseGraph)
    })

  return {
    /** The newest posts of the Page; null where it does not say. */
    newest: (request: PublishRequest, token: string) =>
      read(
        token,
        request,
        "feed",
        { fields: "id", limit: String(pageSize) },
        Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) }),
        shortAnswer
      ).pipe(
        Effect.map(({ data }): ReadonlyArray<string> | null => data.map(({ id }) => id)),
        Effect.catchIf(
          ({ token_expired }) => token_expired !== true,
          () => Effect.succeed(null)
        )
      ),

    /** A post since the due time that can be this one and is no other's. */
    find: Effect.fnUntraced(function* (
      request: PublishRequest,
      { photos, seen }: Pick<FacebookHandle, "photos" | "seen">,
      token: string,
      taken: Taken
    ): Effect.fn.Return<Found, PublishError> {
      const since = DateTime.subtractDuration(request.due_at, slack).epochMilliseconds
      const likenessOf = likeness(request, photos)
      const alike: Record<Likeness, Array<Post>> = { pictures: [], words: [] }
      let complete = false
      let after: string | undefined
      for (let page = 0; page < mostPages && !complete; page++) {
        const { data, paging } = yield* read(
          token,
          request,
          "feed",
          { fields, limit: String(pageSize), ...(after === undefined ? {} : { after }) },
          Feed,
          feedAnswer
        )
        const late = data.filter(({ created_time }) => timeOf(created_time) >= since)
        for (const post of late) {
          const same = likenessOf(post)
          if (same !== undefined && seen?.includes(post.id) !== true) alike[same].push(post)
        }
        after = paging?.next === undefined ? undefined : paging.cursors?.after
        complete = after === undefined || late.length < data.length
      }
      const others = yield* taken([...alike.pictures, ...alike.words].flatMap(namesOf))
      const isFree = (post: Post) => !namesOf(post).some((name) => others.has(name))
      const pictured = alike.pictures.find(isFree)
      if (pictured !== undefined) return { post: pictured, exact: true, certain: true }
      const worded = alike.words.filter(isFree)
      // The same words may be a person's, also of a post that was there before and could not be read.
      return worded.length === 0
        ? { post: undefined, exact: false, certain: complete }
        : { post: seen === null || worded.length > 1 ? undefined : worded[0], exact: false, certain: false }
    }),

    /** The story of a picture or video: https://developers.facebook.com/docs/page-stories-api */
    story: Effect.fnUntraced(function* (request: PublishRequest, media_id: string, token: string) {
      const { data } = yield* read(
        token,
        request,
        "stories",
        { fields: "post_id,status,creation_time,media_type,media_id,url", limit: String(newestStories) },
        Stories,
        storiesAnswer
      )
      const story = data.find((one) => String(one.media_id) === media_id)
      return story === undefined
        ? undefined
        : { id: story.post_id === undefined ? media_id : String(story.post_id), url: story.url ?? null }
    })
  }
}

/** What the engine may know a post by: a person gives its address. */
const namesOf = ({ id, permalink_url }: Post) => [id, ...(permalink_url === undefined ? [] : [permalink_url])]

type Likeness = "pictures" | "words"

/** What a post of the feed has in common with this one: its pictures, or its words and as much to see. */
const likeness = (request: PublishRequest, photos: FacebookHandle["photos"]) => {
  const ours = Object.values(photos)
  const words = plainWords(request.caption)
  return ({ attachments, from, message = "" }: Post): Likeness | undefined => {
    if (from?.id !== undefined && from.id !== request.remote_id) return undefined
    const all = (attachments?.data ?? []).flatMap((one) => [one, ...(one.subattachments?.data ?? [])])
    const pictures = all.flatMap(({ media_type, target }) =>
      media_type === "photo" && target?.id !== undefined ? [target.id] : []
    )
    if (ours.length > 0 && pictures.length > 0)
      return pictures.some((id) => ours.includes(id)) ? "pictures" : undefined
    const shows = (type: string) => all.some(({ media_type }) => media_type?.startsWith(type) === true)
    const isAlike =
      plainWords(message) === words &&
      !shows("video") &&
      (shows("photo") || shows("album")) === ours.length > 0
    return isAlike ? "words" : undefined
  }
}
