import { DateTime, Duration, Effect, Schema, SchemaGetter } from "effect"
import { HttpBody } from "effect/http"
import { plainWords } from "../PlainWords.ts"
import type { PublishError, PublishRequest, Taken } from "../Platform.ts"
import type { GoogleBusinessApi } from "./GoogleBusinessApi.ts"
import { postBody, topicOf } from "./PostBody.ts"

const words = Schema.optionalKey(Schema.String)
/** A post's name from its location on: what is before that differs with the account through which the location is reached. */
const Name = Schema.String.check(
  Schema.isPattern(/^accounts\/[\w-]+\/locations\/[\w-]+\/localPosts\/[\w-]+$/u)
).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((name) => name.slice(name.indexOf("locations/"))),
    encode: SchemaGetter.passthrough()
  })
)
const LocalPost = Schema.Struct({
  name: Name,
  state: words,
  searchUrl: words,
  summary: words,
  topicType: words,
  createTime: words,
  event: Schema.optionalKey(Schema.Struct({ title: words }))
})
export interface LocalPost extends Schema.Schema.Type<typeof LocalPost> {}

const Page = Schema.Struct({
  localPosts: Schema.optionalKey(Schema.Array(LocalPost)),
  nextPageToken: words
})

/** How many posts a page holds, and how many pages are read at most. */
const pageSize = 20
const mostPages = 10
/** A text of 1,500 characters and terms of 5,000, which JSON may escape. */
const postAnswer = 128 * 1024

/** The allowed difference between Google's clock and this one. */
const skew = Duration.minutes(1)

export const commitTimeout = Duration.seconds(60)

/** The posts of a location that this target may have made. */
export interface Found {
  readonly alike: ReadonlyArray<LocalPost>
  /** Every post of the time in question was seen. */
  readonly complete: boolean
}

/** Google takes no key of ours, so a post is found by its words. */
export const localPosts = ({ call, get, hosts }: GoogleBusinessApi) => {
  const pageAt = (parent: string, bearer: string, token?: string) =>
    get({
      url: `${hosts.posts}/${parent}/localPosts`,
      query: { pageSize: String(pageSize), ...(token === undefined ? {} : { pageToken: token }) },
      bearer,
      maxAnswerBytes: pageSize * postAnswer,
      answer: Page
    })

  return {
    create: (request: PublishRequest, parent: string, bearer: string, photo: string | undefined) =>
      call({
        method: "POST",
        url: `${hosts.posts}/${parent}/localPosts`,
        bearer,
        body: HttpBody.jsonUnsafe(postBody(request, photo)),
        commit: true,
        timeout: commitTimeout,
        maxAnswerBytes: postAnswer,
        answer: LocalPost
      }),

    get: (account: string, name: string, bearer: string) =>
      get({
        url: `${hosts.posts}/${account}/${name}`,
        bearer,
        maxAnswerBytes: postAnswer,
        answer: LocalPost
      }),

    /** Names of posts that are there already. */
    newest: (parent: string, bearer: string) =>
      Effect.map(pageAt(parent, bearer), (page) => (page.localPosts ?? []).map(({ name }) => name)),

    find: Effect.fnUntraced(function* (
      request: PublishRequest,
      parent: string,
      seen: ReadonlyArray<string>,
      bearer: string,
      taken: Taken
    ): Effect.fn.Return<Found, PublishError> {
      const since = DateTime.subtractDuration(request.due_at, skew).epochMilliseconds
      const isOurs = likeness(request)
      const alike: Array<LocalPost> = []
      let complete = false
      let token: string | undefined
      for (let page = 0; page < mostPages && !complete; page++) {
        const { localPosts: posts = [], nextPageToken } = yield* pageAt(parent, bearer, token)
        const times = posts.map(({ createTime }) => Date.parse(createTime ?? "") || Infinity)
        alike.push(...posts.filter((post, index) => times[index]! >= since && isOurs(post)))
        token = nextPageToken
        // No document says in which order posts come: the rest is older only where this page goes back in time.
        const goesBack = times.length > 1 && times.every((at, index) => at <= (times[index - 1] ?? Infinity))
        complete = token === undefined || token === "" || (goesBack && times.every((at) => at < since))
      }
      const fresh = alike.filter(({ name }) => !seen.includes(name))
      const others = yield* taken(fresh.flatMap(({ name, searchUrl }) => [name, searchUrl ?? name]))
      return {
        alike: fresh.filter(({ name, searchUrl }) => !others.has(name) && !others.has(searchUrl ?? name)),
        complete
      }
    })
  }
}

const likeness = (request: PublishRequest) => {
  const wanted = topicOf(request)
  const text = plainWords(request.caption)
  return ({ event, summary = "", topicType = "STANDARD" }: LocalPost) =>
    topicType === wanted.topicType &&
    plainWords(summary) === text &&
    plainWords(event?.title ?? "") === plainWords(wanted.title)
}
