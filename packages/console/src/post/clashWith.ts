import { carillon, workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { clashWords as words } from "./clashWords.ts"
import { whoChanged } from "./whoChanged.ts"

/** Reads the posts again and says who changed the first one whose version differs. */
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
    // Offline, nobody can be named.
  }
  return words.somebody
}
