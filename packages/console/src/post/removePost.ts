import type { CalendarPost } from "@carillon/sdk"
import { carillon } from "../data/api.ts"
import { postsChanged } from "../data/posts.ts"
import { act } from "../data/useAct.ts"
import { words } from "./en.ts"

export const removePost = (row: CalendarPost) =>
  act({
    do: () => carillon.posts.delete(row.id, { ifMatch: row }),
    done: words.deleted,
    failed: words.notDeleted,
    changed: postsChanged
  })
