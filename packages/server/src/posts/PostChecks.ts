import {
  altTextWarnings,
  contentWarnings,
  costOf,
  costWarnings,
  CurrentActor,
  frameWarnings,
  grantedPermissions,
  mediaIdsOf,
  mediaPathsOf,
  mediaWarnings,
  type PlatformId,
  platformRules,
  type Post,
  type PostId,
  type ProblemItem,
  reconnectWarnings
} from "@carillon/domain"
import { DateTime, Effect, Option } from "effect"
import type { SocialAccountRow } from "../accounts/SocialAccountRepository.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { AppConfig } from "../AppConfig.ts"
import type { MediaRow } from "../media/files/MediaRow.ts"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import { checkPost, conversionsOf } from "../media/Preflight.ts"
import { MediaFiles } from "../media/serving/MediaFiles.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { destinationProblems } from "./Destinations.ts"
import type { PostContent } from "./PostContent.ts"
import { passedPlan } from "./PostTimes.ts"

/** What is wrong with a post by the rules of its platforms, and what is worth a warning. */
export const makePostChecks = Effect.gen(function* () {
  const accounts = yield* SocialAccounts
  const library = yield* MediaLibrary
  const files = yield* MediaFiles
  const platforms = yield* Platforms
  const { publicUrl, twitterPrices: prices, videoTranscoding: video_transcoding } = yield* AppConfig
  const conversion = { video_transcoding, tone_mapping: files.toneMaps }

  const problems = (
    content: PostContent,
    to: ReadonlyArray<SocialAccountRow>,
    media: ReadonlyArray<MediaRow>,
    liveItems = 0
  ) =>
    checkPost({
      ...content,
      content,
      accounts: to.map((account) => ({
        ...account,
        permissions: grantedPermissions(account.platform, account.granted_scopes)
      })),
      media,
      ...conversion,
      public_url: { url: publicUrl, closed_to: platforms.unreached },
      live_items: liveItems
    })

  /** How the platforms' charges for a post are found; `due` null: nobody knows when it goes out. */
  const pricing = (
    content: PostContent,
    media: ReadonlyArray<MediaRow>,
    due: DateTime.Utc | null,
    now: DateTime.Utc,
    live_items = 0
  ) => ({
    content,
    media,
    prices,
    live_items,
    at_once: due !== null && DateTime.isLessThan(due, DateTime.add(now, { minutes: 1 }))
  })

  const chargesOf = (platform: PlatformId) =>
    Option.getOrUndefined(Option.map(platforms.get(platform), ({ charges }) => charges))

  /** null: nothing is charged, as on the test network. */
  const costOfTarget = (priced: ReturnType<typeof pricing>) => (account: SocialAccountRow) =>
    chargesOf(account.platform) === undefined ? null : costOf(priced, account)

  /** Why it would cost more than the operator allows. Holds what it found until the transaction ends. */
  const overBudget = Effect.fnUntraced(function* (
    priced: ReturnType<typeof pricing>,
    to: ReadonlyArray<SocialAccountRow>,
    due: DateTime.Utc,
    except: PostId | null
  ) {
    const found: Array<ProblemItem> = []
    for (const [platform, accounts] of Map.groupBy(to, (account) => account.platform)) {
      const charges = chargesOf(platform)
      if (charges?.isLimited !== true) continue
      const cost = accounts.reduce((sum, account) => sum + costOf(priced, account), 0)
      const refused = yield* charges.refuses(due, cost, except)
      if (refused === null) continue
      found.push({
        path: "social_accounts",
        code: "budget_exceeded",
        rule: "budget",
        ...refused,
        message: `The post on ${platformRules[platform].name} ${refused.sentence}`,
        platform
      })
    }
    return found
  })

  const warnings = Effect.fnUntraced(function* (
    content: PostContent,
    to: ReadonlyArray<SocialAccountRow>,
    media: ReadonlyArray<MediaRow>,
    priced: ReturnType<typeof pricing>
  ) {
    const frames = frameWarnings(content, to)
    return [
      ...reconnectWarnings(to),
      ...contentWarnings(content, to),
      ...altTextWarnings(content, to, media),
      ...mediaWarnings(content, to, media),
      ...costWarnings(
        priced,
        to.filter(({ platform }) => chargesOf(platform) !== undefined)
      ),
      ...(frames.length === 0 || (yield* files.cutsFrames) ? [] : frames),
      ...conversionsOf({ ...content, content, accounts: to, media, ...conversion })
    ]
  })

  /** What keeps a stored draft from going out, by the accounts, media and rules of now. Platforms are not asked. */
  const ofDraft = Effect.fnUntraced(function* (post: Post) {
    const { workspace_id } = yield* CurrentActor
    const found = yield* accounts.find(workspace_id, post.social_accounts)
    const media = yield* library.find(workspace_id, mediaIdsOf(post))
    return [
      ...passedPlan(post.scheduled_at, yield* DateTime.now),
      ...problems(post, found, media),
      ...destinationProblems(post, found)
    ]
  })

  return { problems, warnings, pricing, costOfTarget, overBudget, ofDraft }
})

/** A failed item that is tried again until the post's time. */
export const awaited = (row: MediaRow): MediaRow => ({
  ...row,
  status: "reserved",
  error: null,
  importing: true
})

/** A person cannot have looked at media that are still on their way. */
export const unseenMedia = (
  content: PostContent,
  media: ReadonlyArray<MediaRow>
): ReadonlyArray<ProblemItem> => {
  const paths = mediaPathsOf(content)
  return media
    .filter(({ importing }) => importing)
    .map(({ id }) => ({
      path: paths.get(id) ?? "media_urls",
      media_id: id,
      code: "media_not_ready",
      message: `The media item ${id} is still being fetched from its URL; what an app wrote is approved together with its media, so it can go out once they have arrived.`
    }))
}
