import { readFileSync } from "node:fs"
import { join } from "node:path"

export const linesOf = (folder: string, name: string): ReadonlyArray<any> =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** What the posts of an export say, whatever ids they have there. */
export const contentOf = (folder: string) => {
  const accounts = new Map(linesOf(folder, "accounts.jsonl").map(({ id, username }) => [id, username]))
  const media = new Map(
    linesOf(folder, "media.jsonl").map(({ id, name, alt_text, sha256, file }) => [
      id,
      `${name} ${alt_text} ${sha256} ${file && readFileSync(join(folder, file)).length}`
    ])
  )
  const threadOf = (thread: ReadonlyArray<any> | null | undefined) =>
    thread?.map((item) => [item.caption, item.media.map((id: string) => media.get(id))])
  return linesOf(folder, "posts.jsonl")
    .map(
      ({
        account_configurations,
        caption,
        media: files,
        platform_configurations,
        scheduled_at,
        social_accounts,
        thread,
        thread_fallback
      }) => ({
        caption,
        scheduled_at,
        thread: threadOf(thread),
        thread_fallback,
        platform_configurations,
        files: files.map((id: string) => media.get(id)),
        accounts: social_accounts.map((id: number) => accounts.get(id)),
        of: account_configurations?.map(({ account_id, media: own, thread: following, ...rest }: any) => ({
          ...rest,
          thread: threadOf(following),
          account: accounts.get(account_id),
          files: own?.map((id: string) => media.get(id))
        }))
      })
    )
    .toSorted((a, b) => a.caption.localeCompare(b.caption))
}
