import { CarillonError, ConflictError, PublishFailedError, TimeoutError } from "../Errors.ts"
import { listAt, type ListRequest } from "../ListRequest.ts"
import { pause as sleep } from "../Pause.ts"
import { pathTo, type RequestOptions, type SendOptions, type Transport } from "../Transport.ts"
import type {
  ApprovePost,
  Calendar,
  CalendarFilter,
  CreatePost,
  Post,
  PostDeleted,
  PostFilter,
  PostList,
  PostValid,
  RefusePost,
  RequestApproval,
  RetryPost,
  UpdatePost
} from "../Wire.ts"

export interface WaitOptions {
  /** Longest wait in milliseconds. Default: none. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the post each time it has been read. */
  readonly onUpdate?: ((post: Post) => void) | undefined
}

/** Options of a call that changes a post. */
export interface ChangeOptions extends RequestOptions {
  /** The post as it was read or listed, or its `version`: the call is refused with a `ConflictError` if it has changed since. */
  readonly ifMatch?: Pick<Post, "version"> | string | undefined
}

const collection = "/v1/posts"

const firstPause = 200
const longestPause = 2000
/** Even a far post is looked at this often, because it may be moved while somebody waits. */
const longestSleep = 30_000

/** One post, published to one or more social accounts. */
export class PostsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Publishes at once; or at `scheduled_at`; or in the queue's next free slot, with `use_queue`; or, with `is_draft`,
   * not yet. With `repairs` it goes out instead of a failed result, which then has `repaired_by`.
   *
   * ```ts
   * const post = await carillon.posts.create({
   *   social_accounts: [1, 2],
   *   caption: "The evening bells.",
   *   media: [picture.id],
   *   scheduled_at: "2030-12-24T18:00[Europe/Paris]",
   *   platform_configurations: { tiktok: { privacy_level: "SELF_ONLY" } }
   * })
   * ```
   *
   * @throws InvalidRequestError with every problem of the post at once in `errors`
   * @throws ConflictError `repair_in_progress`, `already_repaired` or `result_not_failed` for what `repairs` names
   */
  create(post: CreatePost, options: SendOptions = {}): Promise<Post> {
    return this.#transport.request("POST", collection, { ...options, body: post })
  }

  /**
   * Runs the checks of `create` and stores nothing.
   *
   * ```ts
   * const { scheduled_at, warnings } = await carillon.posts.validate({ social_accounts: [1], caption: "Bells" })
   * ```
   *
   * @throws InvalidRequestError with every problem of the post at once in `errors`
   */
  validate(post: CreatePost, options: SendOptions = {}): Promise<PostValid> {
    return this.#transport.request("POST", `${collection}/validate`, { ...options, body: post })
  }

  /**
   * Newest first, without their results. `from` and `to` include both ends: a date such as `2030-12-24` is that whole day in
   * the profile's time zone. `undated: true` finds the drafts without a time, which no day finds.
   *
   * ```ts
   * for await (const post of carillon.posts.list({ status: ["scheduled", "draft"], from: new Date() }))
   *   console.log(post.scheduled_at, post.caption)
   * ```
   */
  list(filter: PostFilter = {}, options: RequestOptions = {}): ListRequest<PostList> {
    return listAt(this.#transport, () => collection, filter, options)
  }

  /**
   * The days of a time zone, each with how many posts it has, the first `per_day` of them, and the free slots of the queue.
   *
   * ```ts
   * const { days } = await carillon.posts.calendar({ from: "2030-12-01", to: "2030-12-31" })
   * for (const { date, total, posts } of days) console.log(date, total, posts.map(({ local }) => local))
   * ```
   */
  calendar(filter: CalendarFilter = {}, options: RequestOptions = {}): Promise<Calendar> {
    return this.#transport.request("GET", `${collection}/calendar`, { ...options, query: filter })
  }

  /**
   * The post with its `results`, one for each account.
   *
   * ```ts
   * const { status, progress, results } = await carillon.posts.get(id)
   * ```
   *
   * @throws NotFoundError
   */
  async get(id: string, options: RequestOptions = {}): Promise<Post> {
    return this.#transport.request("GET", pathTo(collection, id), options)
  }

  /**
   * Changes a draft or scheduled post. An absent key is unchanged, `is_draft: true` unschedules, `scheduled_at: null` makes
   * a draft without a time; `publish` publishes. A draft that is given a time stays one, with the time as its plan; `is_draft: false` schedules it.
   * Accounts that leave take their `account_configurations` with them, unless these are given too.
   *
   * ```ts
   * const post = await carillon.posts.get(id)
   * await carillon.posts.update(id, { caption: `${post.caption} #bells` }, { ifMatch: post })
   * ```
   *
   * @throws ConflictError `post_not_editable` when it has begun to publish, `stale_version` when `ifMatch` is not its version
   */
  async update(id: string, changes: UpdatePost, options: ChangeOptions = {}): Promise<Post> {
    return this.#transport.request("PATCH", pathTo(collection, id), { ...matching(options), body: changes })
  }

  /**
   * Deletes a draft or scheduled post.
   *
   * ```ts
   * await carillon.posts.delete(id)
   * ```
   *
   * @throws ConflictError `post_not_editable` when it has begun to publish
   */
  async delete(id: string, options: ChangeOptions = {}): Promise<PostDeleted> {
    return this.#transport.request("DELETE", pathTo(collection, id), matching(options))
  }

  /**
   * Publishes a draft or scheduled post now.
   *
   * ```ts
   * await carillon.posts.publish(id)
   * ```
   *
   * @throws ConflictError `post_not_editable` when it has begun to publish
   */
  async publish(id: string, options: ChangeOptions & SendOptions = {}): Promise<Post> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/publish`, matching(options))
  }

  /**
   * Has the post wait until a person lets it go out or refuses: at `scheduled_at`, in the queue (`use_queue`), or at the time that it
   * has. A scheduled post becomes a draft for that long.
   *
   * ```ts
   * await carillon.posts.requestApproval(id, { use_queue: true })
   * ```
   *
   * @throws ConflictError `post_not_editable` when it has begun to publish; `stale_version` when `ifMatch` is not its version
   */
  async requestApproval(
    id: string,
    asked: RequestApproval = {},
    options: ChangeOptions & SendOptions = {}
  ): Promise<Post> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/request-approval`, {
      ...matching(options),
      body: asked
    })
  }

  /**
   * Lets a waiting draft go out as was asked, or at `scheduled_at`, in the queue (`use_queue`) or at once
   * (`publish_now`), which no approval does by itself. Works only in a `session`: a key or an app gets `approval_by_person`.
   *
   * ```ts
   * const post = await carillon.posts.get(id)
   * await carillon.posts.approve(id, {}, { ifMatch: post })
   * ```
   *
   * @throws ConflictError `approval_needs_time` when that was asked for at once or its time has passed; `nothing_to_decide`
   * when somebody has decided already, with who, when and what; `stale_version` when `ifMatch` is not its version
   */
  async approve(
    id: string,
    asked: ApprovePost = {},
    options: ChangeOptions & SendOptions = {}
  ): Promise<Post> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/approve`, {
      ...matching(options),
      body: asked
    })
  }

  /**
   * Refuses to let a waiting draft go out. It stays a draft, and whoever asked reads the `reason`. Works only in a
   * `session`: a key or an app gets `approval_by_person`.
   *
   * ```ts
   * await carillon.posts.refuse(id, { reason: "Not on a Sunday." })
   * ```
   *
   * @throws ConflictError `nothing_to_decide` when somebody has decided already, with who, when and what
   */
  async refuse(id: string, asked: RefusePost = {}, options: ChangeOptions & SendOptions = {}): Promise<Post> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/refuse`, {
      ...matching(options),
      body: asked
    })
  }

  /**
   * Sends the failed targets again, all or those of `social_accounts`; with `force` the unconfirmed ones too, which
   * posts a second time what is live already.
   *
   * ```ts
   * await carillon.posts.retry(id, { social_accounts: [2] })
   * ```
   *
   * @throws ConflictError `nothing_to_retry` when there is none; `repair_in_progress` or `already_repaired` when another post
   * stands for them
   */
  async retry(id: string, asked: RetryPost = {}, options: SendOptions = {}): Promise<Post> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/retry`, { ...options, body: asked })
  }

  /**
   * Waits until nothing more will happen to the post by itself, and answers with it when it is live on at least one
   * account. `progress` and `results` tell of the others.
   *
   * ```ts
   * const post = await carillon.posts.waitUntilPublished(id, { timeout: 10 * 60_000 })
   * for (const { platform, platform_data } of post.results) console.log(platform, platform_data?.url)
   * ```
   *
   * @throws PublishFailedError when it is live on none
   * @throws ConflictError `post_is_draft` when it is a draft, which waits for a time
   * @throws TimeoutError when `timeout` has passed; the post is not touched by that
   */
  async waitUntilPublished(id: string, { timeout, signal, onUpdate }: WaitOptions = {}): Promise<Post> {
    const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout)
    const either = this.#transport.untilAborted(signal, limit)
    try {
      for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
        const post = await this.get(id, { signal: either })
        onUpdate?.(post)
        if (post.status === "published") return post
        if (post.status === "failed") throw new PublishFailedError(post)
        if (post.status === "draft") {
          throw new ConflictError(
            `Post ${id} is a draft: it waits for a time and is not going to be published.`,
            {
              code: "post_is_draft"
            }
          )
        }
        const ahead = post.scheduled_at === null ? 0 : Date.parse(post.scheduled_at) - Date.now()
        await sleep(ahead > pause ? Math.min(ahead, longestSleep) : pause, either)
      }
    } catch (error) {
      if (limit?.aborted && either.reason === limit.reason && !(error instanceof CarillonError)) {
        throw new TimeoutError(
          `Post ${id} was not published within ${timeout} ms. It still may be: it was not cancelled.`,
          {
            code: "timeout",
            cause: error
          }
        )
      }
      throw error
    }
  }
}

const matching = <Options extends ChangeOptions>({ ifMatch, ...options }: Options) => ({
  ...options,
  ...(ifMatch === undefined
    ? {}
    : { ifMatch: typeof ifMatch === "string" ? ifMatch : `"${ifMatch.version}"` })
})
