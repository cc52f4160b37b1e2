import { act } from "../data/useAct.ts"
import { carillon } from "../data/api.ts"
import { hideResults } from "../data/needs.ts"
import { postsChanged } from "../data/posts.ts"
import { words } from "./en.ts"

const dismiss = (results: ReadonlyArray<string>, dismissed: boolean) =>
  Promise.all(results.map((id) => carillon.results.dismiss(id, dismissed)))

/** Dismisses failures for everybody in the workspace. */
export const dismissResults = async (results: ReadonlyArray<string>) => {
  await act({
    show: () => hideResults(results),
    do: () => dismiss(results, true),
    done: words.failed.left,
    undo: () => ({
      do: () => dismiss(results, false),
      failed: words.failed.notDismissed,
      changed: postsChanged
    }),
    failed: words.failed.notDismissed,
    changed: postsChanged
  })
}
