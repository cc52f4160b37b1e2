import { DateTime, Duration, Effect, Schema } from "effect"
import type { PublishError, PublishRequest, Taken } from "../Platform.ts"
import type { LinkedInHandle } from "./LinkedInHandle.ts"
import type { LinkedInRest } from "./LinkedInRest.ts"
import { littleWords } from "./LittleText.ts"
import { commentaryOf, questionOf, resharedBy } from "./PostBody.ts"

const Asset = Schema.Struct({ id: Schema.optionalKey(Schema.String) })
const Post = Schema.Struct({
  id: Schema.String,
  commentary: Schema.optionalKey(Schema.String),
  /** Unix time in milliseconds. */
  createdAt: Schema.optionalKey(Schema.Finite),
  content: Schema.optionalKey(
    Schema.Struct({
      media: Schema.optionalKey(Asset),
      multiImage: Schema.optionalKey(Schema.Struct({ images: Schema.Array(Asset) })),
      poll: Schema.optionalKey(Schema.Struct({ question: Schema.optionalKey(Schema.String) }))
    })
  ),
  reshareContext: Schema.optionalKey(Schema.Struct({ parent: Schema.optionalKey(Schema.String) }))
})
interface Post extends Schema.Schema.Type<typeof Post> {}

const Page = Schema.Struct({ elements: Schema.Array(Post) })

/** How many posts a page holds, and how many pages are read at most. */
const pageSize = 10
const pages = 10
/** A post of 3,000 characters, 20 pictures with descriptions, and what LinkedIn adds. */
const pageAnswer = pageSize * 512 * 1024

/** The allowed difference between LinkedIn's clock and this one. */
const skew = Duration.minutes(1)

/** The posts of an organization that this target may have made, the newest first. */
export interface Found {
  readonly alike: ReadonlyArray<string>
  /** Every post of the time in question was seen. */
  readonly complete: boolean
}

/** LinkedIn takes no key of ours, so a post is found by its files or its words. Posts of a person cannot be read. */
export const authorPosts = ({ rest }: LinkedInRest) => {
  const pageAt = (author: string, bearer: string, start: number) =>
    Effect.map(
      rest({
        method: "GET",
        path: "posts",
        query: { q: "author", author, count: String(pageSize), start: String(start), sortBy: "CREATED" },
        headers: { "x-restli-method": "FINDER" },
        bearer,
        maxAnswerBytes: pageAnswer,
        answer: Page
      }),
      ({ elements }) => elements
    )

  return {
    newest: (author: string, bearer: string) =>
      Effect.map(pageAt(author, bearer, 0), (found) => found.map(({ id }) => id)),

    find: Effect.fnUntraced(function* (
      request: PublishRequest,
      { assets, seen }: Pick<LinkedInHandle, "assets" | "seen">,
      bearer: string,
      taken: Taken
    ): Effect.fn.Return<Found, PublishError> {
      const since = DateTime.subtractDuration(request.due_at, skew).epochMilliseconds
      const isOurs = likeness(request, assets)
      const alike: Array<string> = []
      let complete = false
      for (let page = 0; page < pages && !complete; page++) {
        const posts = yield* pageAt(request.remote_id, bearer, page * pageSize)
        const late = posts.filter(({ createdAt = Infinity }) => createdAt >= since)
        alike.push(...late.filter(isOurs).map(({ id }) => id))
        complete = posts.length < pageSize || late.length < posts.length
      }
      const fresh = alike.filter((id) => seen?.includes(id) !== true)
      const others = yield* taken(fresh)
      return { alike: fresh.filter((id) => !others.has(id)), complete }
    })
  }
}

/** Whether a post has the files of this one, or else its words. */
export const likeness = (request: PublishRequest, assets: LinkedInHandle["assets"]) => {
  const sent = request.media.map(({ id }) => assets[id])
  const [question, parent] = [questionOf(request), resharedBy(request)]
  const words = littleWords(commentaryOf(request))
  return ({ commentary = "", content = {}, reshareContext }: Omit<Post, "id" | "createdAt">): boolean => {
    const shown = [content.media?.id, ...(content.multiImage?.images ?? []).map(({ id }) => id)].filter(
      (id) => id !== undefined
    )
    if (sent.length > 0) return sent.every((urn) => urn !== undefined && shown.includes(urn))
    return (
      shown.length === 0 &&
      littleWords(commentary) === words &&
      littleWords(content.poll?.question ?? "") === littleWords(question ?? "") &&
      (parent === undefined) === (reshareContext === undefined)
    )
  }
}
