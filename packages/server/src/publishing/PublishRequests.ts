import {
  inheritedAltText,
  joined,
  type MediaId,
  mediaFit,
  mediaOptions,
  type PlacementRules,
  placementOf,
  resolveContent,
  rulesFor,
  type ResolvedContent,
  threadItems
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer } from "effect"
import { AppConfig } from "../AppConfig.ts"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import { MediaFiles } from "../media/serving/MediaFiles.ts"
import {
  type PlaceInThread,
  type Platform,
  PublishError,
  type PublishMedia,
  type PublishRequest
} from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { toPreflightMedia } from "../media/Preflight.ts"
import { type ClaimedTarget, commitKey } from "../engine/ClaimedTarget.ts"
import { isCommenting } from "./FirstComments.ts"

/**
 * `awaited`: being fetched. `missing`: could not be fetched so far. `refused`: the platform does not accept them.
 */
export type MediaReadiness =
  | { readonly _tag: "usable" }
  | { readonly _tag: "awaited" | "missing"; readonly media_id: MediaId; readonly failure: PublishError }
  | { readonly _tag: "refused"; readonly failure: PublishError }

/** Makes the request to a platform for a target: overrides applied, media at hand. */
export class PublishRequests extends Context.Service<
  PublishRequests,
  {
    /** Whether the media can be sent: those from URLs are known only when they have been fetched. */
    media(target: ClaimedTarget, platform: Platform): Effect.Effect<MediaReadiness>
    resolve(target: ClaimedTarget, platform: Platform): Effect.Effect<PublishRequest, PublishError>
  }
>()("@carillon/server/publishing/PublishRequests") {
  static readonly layer = Layer.effect(
    PublishRequests,
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const files = yield* MediaFiles
      const platforms = yield* Platforms
      const { videoTranscoding: video_transcoding } = yield* AppConfig

      const resolve = (target: ClaimedTarget, platform: Platform) => {
        const whole = contentOf(target)
        // A comment has no media.
        if (isCommenting(target)) return Effect.succeed(requestOf(target, whole))
        return target.item_count === null ? single(target, platform, whole) : item(target, platform, whole)
      }

      const single = (target: ClaimedTarget, platform: Platform, content: ResolvedContent) =>
        content.media.length === 0 && coverOf(content) === undefined
          ? Effect.succeed(requestOf(target, content))
          : withMedia(target, platform, content)

      /** The first item that is not live, or all of them where they go out at once. */
      const item = Effect.fnUntraced(function* (
        target: ClaimedTarget,
        platform: Platform,
        whole: ResolvedContent
      ) {
        const index = target.items.length
        const items = threadItems(platform.rules, whole)
        const content = items[index]
        if (content === undefined) return yield* itemGone(index)
        const request = yield* single(target, platform, content)
        const following = platform.rules.chains?.at_once === true ? items.slice(1) : []
        const rest = yield* Effect.forEach(following, (one) =>
          Effect.map(single(target, platform, one), ({ caption, media }) => ({ caption, media }))
        )
        const thread: PlaceInThread = {
          index,
          count: items.length,
          root: target.items[0] ?? null,
          parent: target.items.at(-1) ?? null,
          rest
        }
        return {
          ...request,
          target_id: commitKey(target, index),
          thread
        }
      })

      const withMedia = Effect.fnUntraced(function* (
        target: ClaimedTarget,
        platform: Platform,
        content: ResolvedContent
      ) {
        const items =
          content.media.length === 0 ? [] : yield* library.find(target.workspace_id, content.media)
        const placement = placementOf(rulesFor(target), content.options, items)
        const shared = {
          platform: platform.id,
          placement,
          reachable: !platforms.unreached.includes(platform.id),
          processing_enabled: target.processing_enabled
        }
        const media = yield* Effect.forEach(content.media, (id, index) =>
          files.publishable(target.workspace_id, id, {
            ...shared,
            use: "media",
            describe: (item) =>
              altText(content.options["alt_text"], index) ??
              firstOf(inheritedAltText(content.options, index, item), rulesFor(target).alt_text)
          })
        )
        const coverId = coverOf(content)
        const cover =
          coverId === undefined
            ? null
            : yield* files.publishable(target.workspace_id, coverId, {
                ...shared,
                use: "cover",
                describe: () => null
              })
        return {
          ...requestOf(target, content),
          media,
          cover,
          cover_frame: cover === null ? frameOf(target, platform, placement, content, media) : null
        }
      })

      const frameOf = (
        { workspace_id }: ClaimedTarget,
        { rules: { cover_frame: size } }: Platform,
        { covers }: PlacementRules,
        { options: { video_cover_timestamp_ms: at } }: ResolvedContent,
        media: ReadonlyArray<PublishMedia>
      ) => {
        const video = media.find(({ kind }) => kind === "video")
        return size === undefined || covers === undefined || video === undefined || typeof at !== "number"
          ? null
          : files.frame(workspace_id, video.id, { at, ...size }, covers)
      }

      const media = (target: ClaimedTarget, platform: Platform): Effect.Effect<MediaReadiness> => {
        const content = contentOf(target)
        const inThread = content.thread.flatMap((following) => following.media)
        const ids = [...content.media, ...inThread, coverOf(content)].filter((id) => id !== undefined)
        return ids.length === 0 ? usable : readinessOf(target, platform, content, ids)
      }

      const readinessOf = Effect.fnUntraced(function* (
        target: ClaimedTarget,
        platform: Platform,
        content: ResolvedContent,
        ids: ReadonlyArray<string>
      ): Effect.fn.Return<MediaReadiness> {
        const items = yield* library.find(target.workspace_id, ids)
        const now = yield* DateTime.now
        // A try that is due may have had no process to make it.
        const isFetched = ({ importing, next_try_at }: (typeof items)[number]) =>
          importing || (next_try_at !== null && DateTime.isLessThanOrEqualTo(next_try_at, now))
        const failed = items.find((item) => item.error !== null && !isFetched(item))
        if (failed !== undefined) {
          return { _tag: "missing", media_id: failed.id, failure: new PublishError(failed.error!) }
        }
        const awaited = items.find(isFetched)
        if (awaited !== undefined) {
          return { _tag: "awaited", media_id: awaited.id, failure: notFetched(awaited.id) }
        }
        const problems = mediaFit(
          rulesFor(target),
          { id: target.social_account_id, username: target.username },
          content,
          items.map(toPreflightMedia),
          { processing_enabled: target.processing_enabled, video_transcoding }
        )
        return problems.length === 0
          ? { _tag: "usable" }
          : {
              _tag: "refused",
              failure: new PublishError({
                class: "media_rejected",
                code: "media_not_accepted",
                message: problems.map(({ message }) => message).join(" ")
              })
            }
      })

      return PublishRequests.of({ media, resolve })
    })
  )
}

const usable = Effect.succeed<MediaReadiness>({ _tag: "usable" })

/** A target scheduled as one post stays one when a later release has threads on its platform. */
const contentOf = (target: ClaimedTarget) => {
  const content = resolveContent(target, target.platform, target.social_account_id)
  return target.item_count === null && content.thread.length > 0 ? joined(content) : content
}

/** The request of a post without media. */
const requestOf = (target: ClaimedTarget, { caption, options }: ResolvedContent): PublishRequest => ({
  target_id: target.id,
  remote_id: target.remote_id,
  username: target.username,
  board_id: target.board_id,
  default_privacy_level: target.default_privacy_level,
  caption,
  media: [],
  cover: null,
  cover_frame: null,
  options,
  thread: null,
  due_at: target.due_at
})

/** The item that an option names, such as a thumbnail. */
const coverOf = ({ options }: ResolvedContent): string | undefined =>
  mediaOptions.map((name) => options[name]).find((id) => typeof id === "string")

const itemGone = (index: number) =>
  new PublishError({
    class: "invalid",
    code: "item_missing",
    message: `The thread no longer has an item ${index}. Publish the missing items as a separate post.`
  })

const notFetched = (id: string) =>
  new PublishError({
    class: "transient",
    code: "media_not_ready",
    message: `Media item ${id} is still being fetched from its URL. The post is published when it arrives.`
  })

/** As much of a text as the platform takes. */
const firstOf = (text: string | null, most = Infinity) =>
  text === null || [...text].length <= most ? text : [...text].slice(0, most).join("")

/** One text for every medium, or one for each in order. */
const altText = (option: unknown, index: number): string | null => {
  if (typeof option === "string") return option
  const own: unknown = Array.isArray(option) ? option[index] : undefined
  return typeof own === "string" ? own : null
}
