import { DateTime, type Effect, Struct } from "effect"
import type { PostRow } from "../posts/PostColumns.ts"
import type { makeResolvedPost } from "../posts/ResolvedPost.ts"
import type { OpenedLink, ReviewLinkRepository } from "./ReviewLinkRepository.ts"

type Resolved = Effect.Success<ReturnType<Effect.Success<typeof makeResolvedPost>>>
type Said = Effect.Success<ReturnType<ReviewLinkRepository["Service"]["reviews"]>>

/** Whether a client may still answer: from then on, an answer changes nothing. */
export const isOpen = ({ status }: Pick<PostRow, "status">) => status === "draft" || status === "scheduled"

/** All that the page of a link is told, which a stranger reads: what goes out, and what was said by that link. */
export const clientView = (link: OpenedLink, row: PostRow, resolved: Resolved, said: Said) => ({
  workspace: link.workspace_name,
  timezone: link.timezone,
  version: String(row.version),
  is_open: isOpen(row),
  /** A draft may have a time at which it is meant to go out. */
  status: row.status,
  scheduled_at: row.scheduled_at && DateTime.formatIso(row.scheduled_at),
  /** null: it needs no approval. */
  approval: row.approval && row.approval.status,
  yes_approves: link.client_approval && link.member_id !== null && row.approval?.status === "waiting",
  accounts: resolved.accounts.map(({ account }) =>
    Struct.pick(account, ["id", "platform", "username", "display_name", "avatar_url"])
  ),
  media: resolved.media.map((item) =>
    Struct.pick(item, [
      "id",
      "name",
      "status",
      "kind",
      "mime_type",
      "size_bytes",
      "width",
      "height",
      "duration_ms",
      "alt_text",
      "url",
      "thumbnail_url"
    ])
  ),
  previews: resolved.previews.map(({ following, preview }) => ({ ...preview, following })),
  reviews: said
    .filter(({ link_id }) => link_id === link.id)
    .map(({ answer, comment, created_at, name, version }) => ({
      name,
      answer,
      comment,
      version: String(version),
      created_at: DateTime.formatIso(created_at)
    }))
})
export type ClientView = ReturnType<typeof clientView>
