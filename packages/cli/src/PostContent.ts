import { type ContentName, contentNames } from "@carillon/domain/ExportFormat"
import type { PostSummary } from "@carillon/sdk"

type Content = Partial<Pick<PostSummary, ContentName>>

/** What a post says, for another one: without nulls, which are the same as nothing. */
export const contentOf = (post: Content): Content =>
  Object.fromEntries(
    contentNames.flatMap((name) => ((post[name] ?? null) === null ? [] : [[name, post[name]]]))
  )
