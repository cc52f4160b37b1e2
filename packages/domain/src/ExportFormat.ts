import type { CreatePost, PostSummary } from "./Post.ts"

/** What the command line and the console write of a workspace; docs/export.md has the format. Loads no Effect. */
export const exportFormat = { format: "carillon workspace", version: 1 } as const

/** What a client sends of a post and a post shows again, but for its time and its accounts. */
export type ContentName = Exclude<
  keyof CreatePost & keyof PostSummary,
  "social_accounts" | "scheduled_at" | "use_queue" | "is_draft" | "repairs"
>

const names: Readonly<Record<ContentName, true>> = {
  caption: true,
  media: true,
  thread: true,
  thread_fallback: true,
  platform_configurations: true,
  account_configurations: true,
  processing_enabled: true
}

export const contentNames = Object.keys(names) as ReadonlyArray<ContentName>

const picking =
  <Name extends string>(fields: ReadonlyArray<Name>) =>
  <A extends Readonly<Record<Name, unknown>>>(item: A) =>
    Object.fromEntries(fields.map((field) => [field, item[field]])) as Pick<A, Name>

/** A line of `accounts.jsonl`. */
export const exportedAccount = picking(["id", "platform", "username", "display_name"])

/** A line of `posts.jsonl`. */
export const exportedPost = picking([
  "id",
  "status",
  "scheduled_at",
  "use_queue",
  "social_accounts",
  ...contentNames,
  "created_at",
  "published_at"
])

/** A line of `media.jsonl`, but for `file`. */
export const exportedMedia = picking([
  "id",
  "name",
  "alt_text",
  "mime_type",
  "size_bytes",
  "sha256",
  "created_at"
])
