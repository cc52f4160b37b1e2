import type { Found, Page } from "@carillon/domain"
import { Schema } from "effect"

const longestPage = 100

/** One page of a list. */
export const pageWith = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(Schema.isMaxLength(longestPage))

export const nextPage = Schema.optionalKey(
  Schema.NullOr(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
  ).annotate({
    description: "next_offset of the page before."
  })
)

/** The size of a page; an answer has to fit into a model's context. `usual` is `limit` where it is left out. */
export const paging = (usual: number) => ({
  limit: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: longestPage }))).annotate({
      description: `Up to ${longestPage}; left out: ${usual}, or as many as fit.`
    })
  ),
  offset: nextPage
})

export const pageOf = (
  input: { readonly limit?: number | null; readonly offset?: number | null },
  usual: number
): Page => ({
  limit: input.limit ?? usual,
  offset: input.offset ?? 0
})

export const paged = {
  total: Schema.Int.annotate({ description: "How many there are; for a very long list, a lower bound." }),
  next_offset: Schema.NullOr(Schema.Int).annotate({
    description: "The offset of the next page; null on the last one."
  })
}

export const rest = ({ total }: Found<unknown>, { limit, offset }: Page) => ({
  total,
  next_offset: offset + limit < total ? offset + limit : null
})
