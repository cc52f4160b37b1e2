import type { Post } from "@carillon/sdk"
import { useQueries } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Reconnect } from "../accounts/Reconnect.tsx"
import { carillon, workspace } from "../api.ts"
import { shortDay, wallClock } from "../time/zone.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { words } from "./en.ts"

const signs: Readonly<Record<Post["status"], IconName>> = {
  draft: "pencil",
  scheduled: "clock",
  published: "check",
  failed: "cross"
}

const Row = ({ post }: { readonly post: Post }) => {
  const { day } = wallClock(new Date(post.scheduled_at ?? post.created_at), workspace.timezone)
  const blocked = post.blocked_by !== null
  return (
    <li className={`post-row ${blocked ? "blocked" : post.status}`}>
      <Icon name={blocked ? "warning" : signs[post.status]} />
      <Link to="/posts/$id" params={{ id: post.id }}>
        {post.caption || words.drawer.noText}
      </Link>
      {post.blocked_by === null ? <time>{shortDay(day)}</time> : <Reconnect account={post.blocked_by} />}
    </li>
  )
}

/** Posts by their ids, as far as this many. */
export const PostRows = ({
  ids,
  most = 6
}: {
  readonly ids: ReadonlyArray<string>
  readonly most?: number
}) => {
  const found = useQueries({
    queries: ids.slice(0, most).map((id) => ({
      queryKey: ["post", id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => carillon.posts.get(id, { signal }),
      staleTime: 30_000,
      refetchInterval: false as const
    }))
  })
  return (
    <>
      <ul className="post-rows">{found.map(({ data }) => data && <Row key={data.id} post={data} />)}</ul>
      {ids.length > most && <p className="soft">{words.drawer.morePosts(ids.length - most)}</p>}
    </>
  )
}
