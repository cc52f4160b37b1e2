import { CarillonError, PublishFailedError, TimeoutError } from "../Errors.ts"
import { pathTo, type RequestOptions, type Transport } from "../Transport.ts"
import type { CreatePost, Post, PostDeleted, PostFilter, PostList, RetryPost, UpdatePost } from "../Wire.ts"

export interface WaitOptions {
  /** Longest wait in milliseconds. Default: none. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the post each time it has been read. */
  readonly onUpdate?: ((post: Post) => void) | undefined
}

const firstPause = 200
const longestPause = 2000
/** A post may be moved while somebody waits for it, so even a far one is looked at this often. */
const longestSleep = 30_000

/** One post, published to one or more social accounts (contract.md section 4). */
export class PostsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Publishes at once; or at `scheduled_at`; or, with `is_draft`, not yet.
   *
   * @throws InvalidRequestError with every problem of the post at once in `errors`
   */
  create(post: CreatePost, options: RequestOptions = {}): Promise<Post> {
    return this.#transport.request("POST", "/v1/posts", { ...options, body: post })
  }

  /** Newest first. `meta.next` is null on the last page. */
  list(filter: PostFilter = {}, options: RequestOptions = {}): Promise<PostList> {
    return this.#transport.request("GET", "/v1/posts", { ...options, query: filter })
  }

  /** The post with its `results`, one for each account. */
  async get(id: string, options: RequestOptions = {}): Promise<Post> {
    return this.#transport.request("GET", pathTo("/v1/posts", id), options)
  }

  /**
   * Changes a draft or scheduled post. An absent key is unchanged, `scheduled_at: null` publishes now.
   *
   * @throws ConflictError `post_not_editable` when it has begun to publish
   */
  async update(id: string, changes: UpdatePost, options: RequestOptions = {}): Promise<Post> {
    return this.#transport.request("PATCH", pathTo("/v1/posts", id), {
      ...options,
      body: changes
    })
  }

  /**
   * Deletes a draft or scheduled post.
   *
   * @throws ConflictError `post_not_editable` when it has begun to publish
   */
  async delete(id: string, options: RequestOptions = {}): Promise<PostDeleted> {
    return this.#transport.request("DELETE", pathTo("/v1/posts", id), options)
  }

  /**
   * Sends the failed targets again, all or those of `social_accounts`; with `force` the unconfirmed ones too, which
   * posts a second time what is live already.
   *
   * @throws ConflictError `nothing_to_retry` when there is none
   */
  async retry(id: string, asked: RetryPost = {}, options: RequestOptions = {}): Promise<Post> {
    return this.#transport.request("POST", `${pathTo("/v1/posts", id)}/retry`, { ...options, body: asked })
  }

  /**
   * Waits until nothing more will happen to the post by itself, and answers with it when it is live on at least one
   * account. `progress` and `results` tell of the others.
   *
   * @throws PublishFailedError when it is live on none
   * @throws TimeoutError when `timeout` has passed; the post is not touched by that
   */
  async waitUntilPublished(id: string, { timeout, signal, onUpdate }: WaitOptions = {}): Promise<Post> {
    const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout)
    const either = AbortSignal.any([signal, limit].filter((one) => one !== undefined))
    try {
      for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
        const post = await this.get(id, { signal: either })
        onUpdate?.(post)
        if (post.status === "published") return post
        if (post.status === "failed") throw new PublishFailedError(post)
        if (post.status === "draft") {
          throw new CarillonError(
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
      if (limit?.aborted && !signal?.aborted && !(error instanceof CarillonError)) {
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

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    signal.addEventListener("abort", stop, { once: true })
    if (signal.aborted) stop()
  })
