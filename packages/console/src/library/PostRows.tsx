import type { CreatePost, Post } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { useAccounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { usePostsById } from "../data/posts.ts"
import { AccountAvatars } from "../post/AccountAvatars.tsx"
import { datedAt } from "../post/datedAt.ts"
import { PostLine } from "../post/PostLine.tsx"
import type { PostState } from "../post/PostState.ts"
import { Reconnect } from "../post/Reconnect.tsx"
import { itemsOf } from "../data/itemsOf.ts"
import { shortDay, wallClock } from "../time/zone.ts"
import { words } from "../media/en.ts"

const states: Readonly<Record<Post["status"], PostState>> = {
  draft: "draft",
  scheduled: "planned",
  published: "sent",
  failed: "failed"
}

/** The position of a file's post in its thread, and the length: of the shared thread, or of an override's. */
const placeIn = (post: Post, file: string): readonly [number, number] | null => {
  const contents: ReadonlyArray<Pick<CreatePost, "media" | "thread"> | null> = [
    post,
    ...Object.values(post.platform_configurations ?? {}),
    ...(post.account_configurations ?? [])
  ]
  for (const own of contents) {
    const following = itemsOf(own?.thread ?? post.thread)
    const items = [own?.media ?? post.media, ...following.map(({ media }) => media)]
    const index = items.findIndex((ids) => ids.includes(file))
    if (index !== -1 && items.length > 1) return [index + 1, items.length]
  }
  return null
}

const line = "flex min-w-0 flex-1 rounded-control px-2 text-ink no-underline hover:bg-sunk"

const Row = ({ file, post }: { readonly file: string; readonly post: Post }) => {
  const accounts = useAccounts()
  const place = placeIn(post, file)
  const isUndated = post.status === "draft" && post.scheduled_at === null
  const { day } = wallClock(new Date(datedAt(post)), workspace.timezone)
  const detail = [
    ...(isUndated ? [] : [shortDay(day)]),
    ...(place === null ? [] : [words.drawer.inItem(...place)])
  ].join(" · ")
  return (
    <li className="flex items-center gap-2">
      <Link to="/posts/$id" params={{ id: post.id }} className={line}>
        <PostLine
          size="large"
          state={post.blocked_by === null ? states[post.status] : "blocked"}
          text={post.caption || words.drawer.noText}
          detail={detail}
          accounts={<AccountAvatars accounts={accounts} ids={post.social_accounts} />}
        />
      </Link>
      {post.blocked_by !== null && <Reconnect account={post.blocked_by} />}
    </li>
  )
}

/** The first posts that use a file. */
export const PostRows = ({
  file,
  ids,
  most = 6
}: {
  readonly file: string
  readonly ids: ReadonlyArray<string>
  readonly most?: number
}) => {
  const found = usePostsById(ids.slice(0, most))
  return (
    <>
      <ul className="-mx-2">
        {found.map((post) => (
          <Row key={post.id} file={file} post={post} />
        ))}
      </ul>
      {ids.length > most && <p className="text-xs text-soft">{words.drawer.morePosts(ids.length - most)}</p>}
    </>
  )
}
