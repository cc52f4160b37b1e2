import type { CalendarPost, ConflictError } from "@carillon/sdk"
import type { Message } from "../ui/toastQueue.ts"
import { words } from "./en.ts"

/** Explains a refused move: a post is going out, or somebody else changed it. */
export const moveConflict =
  (rows: ReadonlyArray<CalendarPost>, anyway: () => void) =>
  async ({ code }: ConflictError): Promise<Message> => {
    if (code !== "stale_version") return { icon: "cross", text: words.underway }
    const { clashWith } = await import("./clashWith.ts")
    return {
      icon: "warning",
      text: words.notMovedBecause(await clashWith(rows)),
      action: { label: words.moveAnyway, act: anyway }
    }
  }
