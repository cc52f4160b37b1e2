import { Effect } from "effect"
import { PublishError, type PublishRequest } from "../Platform.ts"

/** The id of the post that an item of a thread answers. One that a person confirmed is known by its address. */
export const parentOf = ({ thread }: Pick<PublishRequest, "thread">): string | undefined => {
  const id = thread?.parent?.id
  return id === undefined ? undefined : (/^\d+$/.exec(id)?.[0] ?? /\/status(?:es)?\/(\d+)/.exec(id)?.[1])
}

export const requireParent = ({
  thread
}: Pick<PublishRequest, "thread">): Effect.Effect<void, PublishError> => {
  const id = thread?.parent?.id
  return id === undefined || parentOf({ thread: thread ?? null }) !== undefined
    ? Effect.void
    : Effect.fail(
        new PublishError({
          class: "invalid",
          code: "parent_unknown",
          message: `The previous item was confirmed with ${JSON.stringify(id)}, which is no address of a post on X, so nothing can reply to it. Publish the missing items as a separate post.`
        })
      )
}
