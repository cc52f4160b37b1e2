import { pathTo, type RequestOptions, type SendOptions, type Transport } from "../Transport.ts"
import type {
  ClientReviewList,
  CreateReviewLink,
  NewReviewLink,
  ReviewLinkList,
  ReviewLinkRevoked
} from "../Wire.ts"

const linksOf = (postId: string) => `${pathTo("/v1/posts", postId)}/review-links`

/** Links with which somebody without an account sees a post, and what they said of it. */
export class ClientReviewsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * What clients said of a post, newest first.
   *
   * ```ts
   * const { data } = await carillon.clientReviews.list(id)
   * ```
   */
  list(postId: string, options: RequestOptions = {}): Promise<ClientReviewList> {
    return this.#transport.request("GET", `${pathTo("/v1/posts", postId)}/client-reviews`, options)
  }

  /**
   * The links of a post that still work.
   *
   * ```ts
   * const { data } = await carillon.clientReviews.links(id)
   * ```
   */
  links(postId: string, options: RequestOptions = {}): Promise<ReviewLinkList> {
    return this.#transport.request("GET", linksOf(postId), options)
  }

  /**
   * Makes a link to send to a client. `url` is in this answer only.
   *
   * ```ts
   * const { url } = await carillon.clientReviews.createLink(id, { name: "The baker" })
   * ```
   *
   * @throws ConflictError `review_link_limit_reached`
   */
  createLink(
    postId: string,
    asked: CreateReviewLink = {},
    options: SendOptions = {}
  ): Promise<NewReviewLink> {
    return this.#transport.request("POST", linksOf(postId), { ...options, body: asked })
  }

  /**
   * The link opens nothing any more. What was said with it stays.
   *
   * ```ts
   * const { data } = await carillon.clientReviews.links(id)
   * for (const link of data) await carillon.clientReviews.revokeLink(id, link.id)
   * ```
   */
  revokeLink(postId: string, id: string, options: RequestOptions = {}): Promise<ReviewLinkRevoked> {
    return this.#transport.request("DELETE", pathTo(linksOf(postId), id), options)
  }
}
