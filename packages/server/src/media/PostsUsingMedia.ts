import type { MediaId, PostId } from "@carillon/domain"
import { Context, type Effect } from "effect"

/** What posts do when an item of theirs changes, goes, or does not come, within the transaction that says so. */
export class PostsUsingMedia extends Context.Service<
  PostsUsingMedia,
  {
    /** Takes the item off these drafts, wherever they name it. The caller has locked them. */
    takeOff(id: MediaId, drafts: ReadonlyArray<PostId>): Effect.Effect<void>
    /**
     * Moves the version of the posts that wait for approval and use the item: nobody approves by it what they have not
     * seen. The caller has locked them.
     */
    changed(id: MediaId): Effect.Effect<void>
    /**
     * Puts the warning that the item could not be fetched on the scheduled posts that use it and are not due yet; null
     * takes it off. The caller has locked them.
     */
    warn(id: MediaId, warning: string | null): Effect.Effect<void>
  }
>()("@carillon/server/media/PostsUsingMedia") {}
