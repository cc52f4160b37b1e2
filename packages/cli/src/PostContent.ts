import type { CreatePost, PostSummary } from "@carillon/sdk"

/** What a client sends of a post and a post shows again, but for its time and its accounts. */
type Name = Exclude<
  keyof CreatePost & keyof PostSummary,
  "social_accounts" | "scheduled_at" | "use_queue" | "is_draft" | "repairs"
>

const names: Readonly<Record<Name, true>> = {
  caption: true,
  media: true,
  thread: true,
  thread_fallback: true,
  platform_configurations: true,
  account_configurations: true,
  processing_enabled: true
}

export const contentNames = Object.keys(names) as ReadonlyArray<Name>

/** What a post says, for another one: without nulls, which are the same as nothing. */
export const contentOf = (post: Partial<Pick<PostSummary, Name>>): Partial<Pick<PostSummary, Name>> =>
  Object.fromEntries(
    contentNames.flatMap((name) => ((post[name] ?? null) === null ? [] : [[name, post[name]]]))
  )
