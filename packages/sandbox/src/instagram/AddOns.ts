import { Option, Schema } from "effect"
import type { Login } from "../meta/MetaAuthorization.ts"
import { isAudio } from "./Audio.ts"

const fromJson = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
  Schema.decodeUnknownOption(Schema.fromJsonString(schema), { onExcessProperty: "error" })

const options = Schema.Array(Schema.NonEmptyString).check(Schema.isBetweenLength(2, 4))
/** The documents name the options as Threads does or give them as a list. */
const decodePoll = fromJson(
  Schema.Union([
    options,
    Schema.Struct({ options }),
    Schema.Struct({
      option_a: Schema.NonEmptyString,
      option_b: Schema.NonEmptyString,
      option_c: Schema.optionalKey(Schema.NonEmptyString),
      option_d: Schema.optionalKey(Schema.NonEmptyString)
    })
  ])
)
const volume = Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })))
const decodeAudio = fromJson(
  Schema.Struct({ audio_id: Schema.NonEmptyString, audio_volume: volume, video_volume: volume })
)

/** What is wrong with the add-on of a caption. `takes`: the kind of post has one. */
export const addOnProblem = (given: URLSearchParams, login: Login, takes: boolean): string | undefined => {
  const [hasPoll, hasPrompt] = [given.has("poll_attachment"), given.get("is_comment_prompt_used") === "true"]
  if (given.has("is_poll_duration_extended") && !hasPoll) {
    return "Param is_poll_duration_extended needs poll_attachment"
  }
  if (!hasPoll && !hasPrompt) return
  if (login === "instagram") return "Caption add-ons need Facebook Login"
  if (!takes) return "Caption add-ons are for posts in the feed and reels"
  if (hasPoll && hasPrompt) return "A post has at most one caption add-on"
  if (hasPoll && Option.isNone(decodePoll(given.get("poll_attachment")))) {
    return "Param poll_attachment must have 2 to 4 options"
  }
}

/** What is wrong with the sound of a reel. */
export const audioProblem = (given: URLSearchParams, login: Login, kind: string): string | undefined => {
  if (!given.has("audio_configuration")) return
  if (login === "instagram" || kind !== "REELS") {
    return "Param audio_configuration is for reels, with Facebook Login"
  }
  const audio = decodeAudio(given.get("audio_configuration"))
  if (Option.isNone(audio)) {
    return "Param audio_configuration must be { audio_id, audio_volume, video_volume }, the volumes from 0 to 100"
  }
  if (!isAudio(audio.value.audio_id)) return `There is no audio ${audio.value.audio_id.slice(0, 60)}`
}
