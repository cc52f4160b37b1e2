import { Effect, Option, Schema, type Scope } from "effect"
import type { Refused } from "../Exchange.ts"
import type { MediaStore } from "../MediaStore.ts"
import { graphError, subcodeError } from "../meta/GraphErrors.ts"
import type { Instagram, NewContainer } from "./Instagram.ts"
import type { Login } from "../meta/MetaAuthorization.ts"
import { addOnProblem, audioProblem } from "./AddOns.ts"
import { instagramFile } from "./InstagramFile.ts"

const UserTags = Schema.Array(
  Schema.Struct({
    username: Schema.String,
    x: Schema.optionalKey(Schema.Finite),
    y: Schema.optionalKey(Schema.Finite)
  })
)
const TrialParams = Schema.Struct({ graduation_strategy: Schema.Literals(["MANUAL", "SS_PERFORMANCE"]) })

const fromJson = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
  Schema.decodeUnknownOption(Schema.fromJsonString(schema))
const decodeTags = fromJson(UserTags)
const decodeTrial = fromJson(TrialParams)
const decodeNames = fromJson(Schema.Array(Schema.String).check(Schema.isMaxLength(3)))

const kinds = ["IMAGE", "VIDEO", "REELS", "STORIES", "CAROUSEL"] as const
const invalid = (message: string) => graphError("100", `(#100) ${message}`)

/** A `POST /{ig}/media` with its files fetched. */
export const containerRequest = Effect.fnUntraced(function* (
  instagram: Instagram["Service"],
  store: MediaStore["Service"],
  { account, login }: { readonly account: string; readonly login: Login },
  given: URLSearchParams
): Effect.fn.Return<NewContainer, Refused, Scope.Scope> {
  const child = given.get("is_carousel_item") === "true"
  const kind = kinds.find((one) => one === (given.get("media_type") ?? "IMAGE"))
  if (kind === undefined || (kind === "VIDEO" && !child)) return yield* subcodeError("2207023")
  yield* checkText(given, kind)
  const wrong = addOnProblem(given, login, kind !== "STORIES" && !child) ?? audioProblem(given, login, kind)
  if (wrong !== undefined) return yield* invalid(wrong)
  if (given.has("trial_params")) {
    if (kind !== "REELS" || Option.isNone(decodeTrial(given.get("trial_params")))) {
      return yield* invalid(
        "Param trial_params must be of a reel, with graduation_strategy MANUAL or SS_PERFORMANCE"
      )
    }
    if (account.endsWith("-notrial")) return yield* subcodeError("2207081")
  }
  const coverUrl = given.get("cover_url")
  const cover = coverUrl === null ? {} : { cover: yield* image(store, coverUrl, "any") }
  const fields = Object.fromEntries([...given].filter(([name]) => !/_url$|^access_token$/.test(name)))
  const shared = { account, kind, child, fields, children: [], media: null, fails_with: null, ...cover }

  if (kind === "CAROUSEL") {
    const children = (given.get("children") ?? "").split(",").filter((id) => id !== "")
    const states = yield* Effect.forEach(children, (id) => {
      const found = instagram.container(account, id)
      return found?.child === true ? instagram.status(found) : Effect.succeed("MISSING" as const)
    })
    if (children.length < 2 || children.length > 10) return yield* subcodeError("2207028")
    if (states.includes("IN_PROGRESS")) return yield* subcodeError("2207027")
    return states.every((state) => state === "FINISHED")
      ? { ...shared, children }
      : yield* subcodeError("2207028")
  }

  const [imageUrl, videoUrl] = [given.get("image_url"), given.get("video_url")]
  if (kind === "IMAGE" || (kind === "STORIES" && imageUrl !== null)) {
    if (imageUrl === null) return yield* invalid("The parameter image_url is required")
    return { ...shared, media: yield* image(store, imageUrl, kind === "IMAGE" ? "feed" : "any") }
  }
  if (given.get("upload_type") === "resumable") return shared
  if (videoUrl === null) return yield* invalid("The parameter video_url is required")
  const video = yield* instagramFile(store, videoUrl, "video", "any")
  // Meta fetches videos later, so the container reports what is wrong.
  return typeof video === "string"
    ? { ...shared, fails_with: video }
    : { ...shared, media: yield* video.keep }
})

const image = Effect.fnUntraced(function* (store: MediaStore["Service"], url: string, ratio: "any" | "feed") {
  const pulled = yield* instagramFile(store, url, "image", ratio)
  return typeof pulled === "string" ? yield* subcodeError(pulled) : yield* pulled.keep
})

const checkText = Effect.fnUntraced(function* (given: URLSearchParams, kind: NewContainer["kind"]) {
  const caption = given.get("caption") ?? ""
  if ([...caption].length > 2200) return yield* subcodeError("2207010")
  if (Number(given.get("thumb_offset") ?? 0) < 0) return yield* subcodeError("2207057")
  if (given.has("collaborators") && Option.isNone(decodeNames(given.get("collaborators")))) {
    return yield* invalid("Param collaborators must be an array of at most 3 user names")
  }
  if (!given.has("user_tags")) return
  const tags = decodeTags(given.get("user_tags"))
  if (Option.isNone(tags)) return yield* invalid("Param user_tags must be an array of { username, x, y }")
  if (kind === "IMAGE" && tags.value.some(({ x, y }) => x === undefined || y === undefined)) {
    return yield* invalid("Param user_tags needs x and y in a picture")
  }
})
