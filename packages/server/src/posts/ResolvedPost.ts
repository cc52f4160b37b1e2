import { type Media, placementFacts, resolveContent, rulesFor, threadItems } from "@carillon/domain"
import { Effect, Option } from "effect"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import type { PostContent } from "./PostContent.ts"

/** The options that name a picture of the library. */
const coversIn = ({ cover_image, thumbnail }: Readonly<Record<string, unknown>>) =>
  [cover_image, thumbnail].filter((id) => typeof id === "string")

/** What each account gets of a post, and the media in it. */
export const makeResolvedPost = Effect.gen(function* () {
  const accounts = yield* SocialAccounts
  const library = yield* MediaLibrary

  return Effect.fnUntraced(function* (content: PostContent) {
    const resolved = (yield* accounts.shown(content.social_accounts)).map((account) => {
      const own = resolveContent(content, account.platform, account.id)
      return { account, content: own, items: threadItems(rulesFor(account), own) }
    })
    const ids = resolved.flatMap(({ content: { options }, items }) => [
      ...items.flatMap(({ media }) => media),
      ...coversIn(options)
    ])
    const found = yield* Effect.forEach([...new Set(ids)], (id) => Effect.option(library.get(id)))
    const media = found.flatMap(Option.toArray)
    const items = new Map(media.map((item) => [item.id as string, item]))
    const itemsOf = (ids: ReadonlyArray<string>): ReadonlyArray<Media> =>
      ids.flatMap((id) => items.get(id) ?? [])
    const previews = resolved.map(({ account, content, items: [first, ...following] }) => ({
      preview: {
        account_id: account.id,
        caption: content.caption,
        media: content.media,
        options: content.options,
        facts: placementFacts(rulesFor(account), first!.options, itemsOf(first!.media))
      },
      following: following.map(({ caption, media }) => ({ caption, media }))
    }))
    return { accounts: resolved, itemsOf, media, previews }
  })
})
