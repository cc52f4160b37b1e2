import {
  isProcessing,
  type Post,
  type PostResult,
  type PostStatus,
  type PostSummary,
  type ResultStatus
} from "@carillon/domain"

type SummaryBody = Omit<typeof PostSummary.Encoded, "excerpt">
type PostBody = typeof Post.Encoded
type ResultBody = typeof PostResult.Encoded

const postWords: Record<PostStatus, string> = {
  draft: "scheduled",
  scheduled: "scheduled",
  published: "posted",
  failed: "failed"
}

const resultWords: Record<ResultStatus, string> = {
  waiting: "waiting",
  publishing: "processing",
  published: "posted",
  failed: "failed",
  unconfirmed: "unconfirmed"
}

/** A result, of a list or with its log. */
export const resultInWords = (result: ResultBody) => ({
  ...result,
  ...outcomeInWords(result),
  ...(result.items === undefined
    ? {}
    : { items: result.items.map((item) => ({ ...item, ...outcomeInWords(item) })) })
})

const outcomeInWords = ({ status, error }: Pick<ResultBody, "status" | "error">) => ({
  status: resultWords[status],
  error: error?.message ?? null
})

/** A post, of a list or with its results. */
export const postInWords = ({ results, ...post }: SummaryBody & Partial<PostBody>) => ({
  ...post,
  status: isProcessing(post) ? "processing" : postWords[post.status],
  ...(results === undefined ? {} : { results: results.map(resultInWords) })
})

type Words = Readonly<Record<string, ReadonlyArray<string>>>

/** What a filter by `status` is in the words of `/v1`, which are taken too. */
const filters: Readonly<Record<string, Words>> = {
  "/v1/posts": { scheduled: ["waiting", "draft"] },
  "/v1/post-results": { posted: ["published"], processing: ["publishing"] }
}

/** The address under `/v1` of what is asked for in the words of Post Bridge. */
export const addressInV1 = (address: string): string => {
  const [path = "", query] = address.split(/\?(.*)/s, 2)
  const words = filters[path.replace(/\/+$/, "")]
  if (words === undefined || query === undefined) return address
  const inV1 = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query)) {
    const said = value.split(",").flatMap((word) => (Object.hasOwn(words, word) ? words[word]! : [word]))
    inV1.append(name, /^status(\[\])?$/.test(name) ? said.join(",") : value)
  }
  return `${path}?${inV1}`
}

/** The address of the next page, in the words of the one that was asked for: `next` is that under `/v1`. */
export const nextInside = (asked: string, next: string): string => {
  const { searchParams } = new URL(next)
  const inside = new URL(asked)
  for (const name of ["limit", "offset"]) inside.searchParams.set(name, searchParams.get(name)!)
  return inside.href
}
