import { Api } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AppConfig } from "../AppConfig.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { version } from "../version.ts"

export const InstanceHttpLayer = HttpApiBuilder.group(
  Api,
  "instance",
  Effect.fnUntraced(function* (handlers) {
    const { publicUrl, sandboxUrl, videoTranscoding, maximumBytes } = yield* AppConfig
    const platforms = yield* Platforms
    const instance = () => ({
      version,
      public_url: publicUrl,
      closed_to: platforms.unreached,
      video_transcoding: videoTranscoding,
      maximum_bytes: maximumBytes,
      test_network_url: Option.getOrNull(sandboxUrl),
      connectable: platforms.connectable
    })
    return handlers.handleAll({ get: () => Effect.sync(instance) })
  })
)
