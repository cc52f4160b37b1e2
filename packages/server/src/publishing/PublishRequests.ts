import { resolveContent } from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import type { Platform, PublishError, PublishRequest } from "../platforms/Platform.ts"
import type { ClaimedTarget } from "./TargetQueue.ts"

/** What a platform gets for a target: overrides applied, media at hand. */
export class PublishRequests extends Context.Service<
  PublishRequests,
  {
    resolve(target: ClaimedTarget, platform: Platform): Effect.Effect<PublishRequest, PublishError>
  }
>()("@carillon/server/publishing/PublishRequests") {
  static readonly layer = Layer.effect(
    PublishRequests,
    Effect.gen(function* () {
      const library = yield* MediaLibrary

      const resolve = Effect.fn("PublishRequests.resolve")(function* (
        target: ClaimedTarget,
        platform: Platform
      ) {
        const content = resolveContent(target, target.platform, target.social_account_id)
        const media = yield* Effect.forEach(content.media, (id, index) =>
          library.publishable(target.workspace_id, id, {
            rules: platform.rules.images,
            processing_enabled: target.processing_enabled,
            alt_text: altText(content.options["alt_text"], index)
          })
        )
        return {
          target_id: target.id,
          remote_id: target.account.remote_id,
          username: target.account.username,
          caption: content.caption,
          media,
          options: content.options,
          due_at: target.due_at
        }
      })

      return PublishRequests.of({ resolve })
    })
  )
}

/** One text for every medium, or one for each in order. */
const altText = (option: unknown, index: number): string | null => {
  if (typeof option === "string") return option
  const own: unknown = Array.isArray(option) ? option[index] : undefined
  return typeof own === "string" ? own : null
}
