import type { CalendarPost, ConflictError } from "@carillon/sdk"
import { askToReload } from "../ui/later.ts"
import type { Message } from "../ui/toast.ts"
import { words } from "./en.ts"

/** Explains a refused move: a post is going out, or somebody else changed it. */
export const moveConflict =
  (rows: ReadonlyArray<CalendarPost>, anyway: () => void) =>
  async ({ code }: ConflictError): Promise<Message> => {
    if (code !== "stale_version") return { icon: "cross", text: words.underway }
    // Where an update has taken the file, nobody is named.
    const found = await import("./clashWith.ts").catch(askToReload)
    return {
      icon: "warning",
      text: found ? words.notMovedBecause(await found.clashWith(rows)) : words.notMovedSince,
      action: { label: words.moveAnyway, act: anyway }
    }
  }
