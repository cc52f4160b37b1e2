import type { ClientReview, ReviewLink } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"
import { postsKey } from "./posts.ts"

const linksKey = (postId: string) => ["review-links", postId] as const

/** What clients said of a post, newest first. It is read again with the posts: an event tells of it. */
export const useClientReviews = (postId: string | undefined) =>
  useQuery<ReadonlyArray<ClientReview>>({
    queryKey: [...postsKey, "client-reviews", postId],
    queryFn: async ({ signal }) => (await carillon.clientReviews.list(postId!, { signal })).data,
    enabled: postId !== undefined,
    staleTime: 30_000
  })

/** The links of a post that still work. */
export const useReviewLinks = (postId: string) =>
  useQuery<ReadonlyArray<ReviewLink>>({
    queryKey: linksKey(postId),
    queryFn: async ({ signal }) => (await carillon.clientReviews.links(postId, { signal })).data
  })

/** Reads the links again: one was made or revoked. */
export const reviewLinksChanged = (postId: string) =>
  queries.invalidateQueries({ queryKey: linksKey(postId) })
