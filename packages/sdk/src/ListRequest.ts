import type { RequestOptions, Transport } from "./Transport.ts"

/** The envelope of every list. */
export interface ListPage<Item> {
  readonly data: ReadonlyArray<Item>
  readonly meta: { readonly next: string | null }
}

/**
 * A list: `await` it for its first page, or go through all of it with `for await`. Nothing is sent before one of the
 * two.
 *
 * ```ts
 * const { data, meta } = await carillon.posts.list({ status: "failed" })
 *
 * for await (const post of carillon.posts.list({ status: "failed" })) console.log(post.id)
 * ```
 *
 * Items that are made meanwhile are not shown twice. Items that are deleted meanwhile let later ones move up by one
 * place, past the next page: to delete listed items, collect them first.
 */
export class ListRequest<Page extends ListPage<object>> implements Promise<Page> {
  readonly [Symbol.toStringTag] = "ListRequest"
  readonly #read: (next: string | null) => Promise<Page>
  #first: Promise<Page> | undefined

  /** @internal */
  constructor(read: (next: string | null) => Promise<Page>) {
    this.#read = read
  }

  /**
   * Goes page by page; `limit` of the filter is the size of a page.
   *
   * ```ts
   * for await (const { data, meta } of carillon.posts.list({ limit: 200 }).pages()) console.log(data.length, meta.total)
   * ```
   */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await this.#page()
    yield page
    while (page.meta.next !== null) {
      page = await this.#read(page.meta.next)
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page["data"][number], void, undefined> {
    let shown = new Set<unknown>()
    for await (const { data } of this.pages()) {
      const ids = new Set<unknown>()
      for (const item of data as ReadonlyArray<Page["data"][number]>) {
        const id = idOf(item)
        ids.add(id)
        // Newest first: items that came in meanwhile have pushed the end of the last page into this one.
        if (!shown.has(id)) yield item
      }
      shown = ids
    }
  }

  // oxlint-disable-next-line unicorn/no-thenable -- that is what makes `await` give the first page.
  then<A = Page, B = never>(
    onFulfilled?: ((page: Page) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null
  ): Promise<A | B> {
    return this.#page().then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page | B> {
    return this.#page().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Page> {
    return this.#page().finally(onFinally)
  }

  #page(): Promise<Page> {
    return (this.#first ??= this.#read(null))
  }
}

const idOf = (item: object): unknown => ("id" in item ? item.id : item)

/** The list at a path. The path is computed with the first request, so that a wrong id rejects like any other failure. */
export const listAt = <Page extends ListPage<object>>(
  transport: Transport,
  path: () => string,
  query: object,
  options: RequestOptions
): ListRequest<Page> =>
  new ListRequest(async (next) =>
    next === null
      ? transport.request<Page>("GET", path(), { ...options, query })
      : // Only the query is taken: the service may be reached at another address than its public one.
        transport.request<Page>("GET", `${path()}${new URL(next).search}`, options)
  )
