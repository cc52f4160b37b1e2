import { PublishError, type PublishRequest } from "../Platform.ts"
import type { Refused } from "../PlatformHttp.ts"

/** The number of the message that an item of a thread answers. One that a person confirmed is known by its link. */
export const parentOf = ({ thread, username }: PublishRequest, chat_id: string): number | undefined => {
  const id = thread?.parent?.id
  if (id === undefined || /^\d+$/.test(id)) return id === undefined ? undefined : Number(id)
  const [, hidden, name, number] =
    /^https?:\/\/(?:[^/]+\/)?t\.me\/(?:c\/(\d+)|(\w+))(?:\/\d+)?\/(\d+)\/?(?:[?#].*)?$/i.exec(id) ?? []
  const isHere =
    hidden === undefined ? name?.toLowerCase() === username.toLowerCase() : `-100${hidden}` === chat_id
  return isHere ? Number(number) : undefined
}

/** The failure of an item of a thread when the message it would answer is not known. */
export const parentUnknown = (address: string) =>
  new PublishError({
    class: "invalid",
    code: "parent_unknown",
    message: `The previous item was confirmed with ${JSON.stringify(address)}, which is not a link to a message of this chat, so nothing can reply to it. Publish the missing items as a separate post.`
  })

/** The failure of an item when the message that it answers is no longer there. */
export const parentGone: Refused = {
  class: "invalid",
  code: "parent_gone",
  message:
    "Telegram cannot find the message that this item replies to; it may have been deleted. Publish the missing items as a separate post."
}
