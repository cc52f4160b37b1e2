import type {
  AccountLimits,
  Content,
  KnownMedia,
  MediaKind,
  PlacementRules,
  PlatformId,
  PreflightInput,
  PreflightMedia
} from "@carillon/domain"
import { mediaRulesFor, preflight } from "@carillon/domain"

/** A medium that breaks none of the placement's limits, of a kind that the placement takes. */
export const fitting = (
  placement: PlacementRules,
  kind: MediaKind,
  changes: Partial<KnownMedia> = {}
): KnownMedia => {
  const mime = kind === "image" ? (placement.images ?? placement.gifs)?.mime_types[0] : undefined
  const item: KnownMedia = {
    id: `00000000-0000-7000-8000-${String((count += 1)).padStart(12, "0")}`,
    name: "",
    status: "ready",
    importing: false,
    error: null,
    kind,
    mime_type: mime ?? (kind === "video" ? "video/mp4" : kind === "image" ? "image/png" : "application/pdf"),
    size_bytes: 1_000_000,
    width: kind === "document" ? null : 720,
    height: kind === "document" ? null : 720,
    duration_ms: kind === "video" ? 10_000 : null,
    frame_rate: kind === "video" ? 30 : null,
    video_codec: kind === "video" ? "avc" : null,
    audio_codec: kind === "video" ? "aac" : null,
    frames: kind === "image" ? 1 : null,
    transfer: null,
    ...changes
  }
  const rules = mediaRulesFor(placement, item)
  // A reel on Facebook is tall.
  return rules !== undefined && "min_height" in rules && (rules.min_height ?? 0) > 720
    ? { ...item, height: 960, ...changes }
    : item
}

let count = 0

export const check = (
  platform: PlatformId,
  post: {
    readonly caption?: string | undefined
    readonly media?: ReadonlyArray<PreflightMedia> | undefined
    readonly options?: object | undefined
    readonly own?: object | undefined
    readonly processing?: boolean
    readonly transcoding?: boolean
    /** In the library, not on the post. */
    readonly library?: ReadonlyArray<KnownMedia>
    /** Of the account's own server. */
    readonly limits?: AccountLimits
    /** The instance cannot be reached from the internet. */
    readonly closed?: boolean
  }
) =>
  preflight({
    content: {
      caption: post.caption ?? null,
      media: (post.media ?? []).map(({ id }) => id),
      platform_configurations: (post.options === undefined
        ? null
        : { [platform]: post.options }) as Content["platform_configurations"],
      account_configurations: (post.own === undefined
        ? null
        : [{ account_id: 7, ...post.own }]) as Content["account_configurations"]
    },
    processing_enabled: post.processing ?? false,
    video_transcoding: post.transcoding ?? false,
    social_accounts: [7],
    accounts: [{ id: 7, platform, username: "demo", status: "connected", limits: post.limits ?? null }],
    media: [...(post.media ?? []), ...(post.library ?? [])],
    public_url: { url: "http://localhost:4400", closed_to: post.closed === true ? [platform] : [] }
  } satisfies PreflightInput)
