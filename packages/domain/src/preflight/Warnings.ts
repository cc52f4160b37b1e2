import { type Content, resolveContent } from "../Overrides.ts"
import type { PlatformId } from "../Platform.ts"
import { platformRules } from "../platforms/PlatformRules.ts"

/** What is decided for a post that leaves it open, or is lost on the way, account by account. */
export const contentWarnings = (
  content: Content,
  accounts: ReadonlyArray<{ readonly id: number; readonly platform: PlatformId }>
): ReadonlyArray<string> =>
  accounts.flatMap(({ id, platform }) =>
    (byPlatform[platform]?.(resolveContent(content, platform, id).options) ?? []).map(
      (sentence) => `${platformRules[platform].name} (account ${id}) ${sentence}`
    )
  )

type Options = { readonly [name: string]: unknown }

const byPlatform: { readonly [id in PlatformId]?: (options: Options) => ReadonlyArray<string> } = {
  tiktok: ({ draft, privacy_level, privacy_status }) => {
    if (draft === true) {
      return [
        "gets a draft in its inbox: audience, interactions, labels and, of a video, the caption are set in the app."
      ]
    }
    return privacy_level === undefined && privacy_status === undefined
      ? [
          "is given no privacy_level: everyone can see the post, or, where TikTok does not offer that to the account, the widest audience that it does. Give privacy_level to choose."
        ]
      : []
  }
}
