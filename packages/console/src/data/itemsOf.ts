import type { CreatePost } from "@carillon/sdk"

export interface ThreadItem {
  readonly caption: string
  readonly media: ReadonlyArray<string>
}

/** The posts that follow, however they were given. */
export const itemsOf = (thread: CreatePost["thread"]): ReadonlyArray<ThreadItem> =>
  (thread ?? []).map((one) => {
    const { caption, media } = typeof one === "string" ? { caption: one, media: [] } : one
    return { caption: caption ?? "", media: media ?? [] }
  })
