import { carillon, workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { clashWords as words } from "./clashWords.ts"
import { whoChanged } from "./whoChanged.ts"

/** Who was first, where one of these posts has another version by now. It is asked for only then. */
export const clashWith = async (
  seen: ReadonlyArray<{ readonly id: string; readonly version: string }>
): Promise<string> => {
  try {
    for (const { id, version } of seen) {
      const post = await carillon.posts.get(id)
      if (post.version !== version)
        return whoChanged(post, { me: boot.member.name, now: Date.now(), zone: workspace.timezone })
    }
  } catch {
    // Without an answer it is as unknown as without a name.
  }
  return words.somebody
}
