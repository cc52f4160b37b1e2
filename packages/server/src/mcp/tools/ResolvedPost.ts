import {
  CurrentActor,
  type Media,
  problem,
  resolveContent,
  rulesFor,
  sees,
  type CreatePost,
  threadItems
} from "@carillon/domain"
import { Effect, Option } from "effect"
import { SocialAccounts } from "../../accounts/SocialAccounts.ts"
import { MediaLibrary } from "../../media/MediaLibrary.ts"
import { newContent } from "../../posts/PostContent.ts"

/** The options that name a picture of the library. */
const coversIn = ({ cover_image, thumbnail }: Readonly<Record<string, unknown>>) =>
  [cover_image, thumbnail].filter((id) => typeof id === "string")

/** What each account gets of a post that is not made yet, and the media in it. */
export const makeResolvedPost = Effect.gen(function* () {
  const accounts = yield* SocialAccounts
  const library = yield* MediaLibrary

  return Effect.fnUntraced(function* (request: CreatePost) {
    const { social_accounts } = yield* CurrentActor
    const foreign = request.social_accounts.filter((id) => !sees(id, social_accounts))
    if (foreign.length > 0) {
      return yield* problem(
        "account_not_allowed",
        `The social account ${foreign.join(", ")} is not shared with this connection.`
      )
    }
    const content = newContent(request, request.media ?? [])
    const resolved = (yield* accounts.shown(request.social_accounts)).map((account) => {
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
    return { accounts: resolved, itemsOf, media }
  })
})
