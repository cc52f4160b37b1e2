import type { CreatePost, Post } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { Reconnect } from "../post/Reconnect.tsx"
import { workspace } from "../data/api.ts"
import { usePostsById } from "../data/posts.ts"
import { datedAt } from "../post/datedAt.ts"
import { itemsOf } from "../data/itemsOf.ts"
import { shortDay, wallClock } from "../time/zone.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { words } from "../media/en.ts"
import "./PostRows.css"

const signs: Readonly<Record<Post["status"], IconName>> = {
  draft: "pencil",
  scheduled: "clock",
  published: "check",
  failed: "cross"
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

const Row = ({ file, post }: { readonly file: string; readonly post: Post }) => {
  const place = placeIn(post, file)
  const isUndated = post.status === "draft" && post.scheduled_at === null
  const { day } = wallClock(new Date(datedAt(post)), workspace.timezone)
  const blocked = post.blocked_by !== null
  return (
    <li className={`post-row ${blocked ? "blocked" : post.status}`}>
      <Icon name={blocked ? "warning" : signs[post.status]} />
      <Link to="/posts/$id" params={{ id: post.id }}>
        {post.caption || words.drawer.noText}
      </Link>
      {place && <span className="soft">{words.drawer.inItem(...place)}</span>}
      {post.blocked_by === null ? (
        !isUndated && <time>{shortDay(day)}</time>
      ) : (
        <Reconnect account={post.blocked_by} />
      )}
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
      <ul className="post-rows">
        {found.map((post) => (
          <Row key={post.id} file={file} post={post} />
        ))}
      </ul>
      {ids.length > most && <p className="soft">{words.drawer.morePosts(ids.length - most)}</p>}
    </>
  )
}
