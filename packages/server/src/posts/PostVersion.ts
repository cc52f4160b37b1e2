import { type Access, badRequest, type Post, type ProblemItem } from "@carillon/domain"
import type { PostRow } from "./PostColumns.ts"
import type { TargetRow } from "./TargetColumns.ts"
import { toPost } from "./PostView.ts"

/** A post with the ETag of its version. */
export interface Versioned {
  readonly post: Post
  readonly etag: string
}

export const versioned = (
  row: PostRow,
  targets: ReadonlyArray<TargetRow>,
  access: Access = null
): Versioned => ({ post: toPost(row, targets, access), etag: etagOf(row) })

/** A draft with what keeps it from going out; any other post as it is. */
export const withDraftProblems = <V extends Versioned>(given: V, problems: ReadonlyArray<ProblemItem>): V => {
  if (!given.post.is_draft) return given
  const draft_problems = badRequest(problems).errors
  const warnings = [...given.post.warnings, ...draft_problems.map(({ message }) => message)]
  return { ...given, post: { ...given.post, warnings, draft_problems } }
}

export const etagOf = ({ version }: Pick<PostRow, "version">) => `"${version}"`

/**
 * Whether an `If-Match` header names the post's version, quoted or as the post has it. Proxies that compress weaken an ETag,
 * so `W/` is ignored.
 */
export const matchesEtag = (ifMatch: string, row: Pick<PostRow, "version">) =>
  ifMatch
    .split(",")
    .some((tag) => ["*", etagOf(row), String(row.version)].includes(tag.trim().replace(/^W\//, "")))
