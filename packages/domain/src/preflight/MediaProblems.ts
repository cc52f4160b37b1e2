import type { MediaKind } from "../Media.ts"
import type { PlacementRules } from "../Platform.ts"
import type { Finding } from "./Finding.ts"
import { brokenLimits, mediaRulesFor } from "./MediaLimits.ts"
import { isKnown, type KnownMedia, type PreflightMedia } from "./PreflightMedia.ts"
import { unmended } from "./VideoConversion.ts"

/** The processing that may be done to media so that a platform takes them. */
export interface Fitting {
  readonly processing_enabled: boolean
  /** This instance can convert videos. */
  readonly video_transcoding: boolean
}

export const convertsVideo = ({ processing_enabled, video_transcoding }: Fitting) =>
  processing_enabled && video_transcoding

/** The problems of a post's media in a placement: each item, their number, and their mix. */
export const mediaProblems = (
  placement: PlacementRules,
  media: ReadonlyArray<PreflightMedia>,
  fitting: Fitting,
  path: string
): ReadonlyArray<Finding> => [
  ...countProblems(placement, media, path),
  ...sizeProblems(placement, media, path),
  ...media.filter(isKnown).flatMap((item) => itemProblems(placement, item, fitting, path))
]

const groups = { images: "images", gifs: "GIFs", videos: "videos", documents: "documents" } as const
type Group = keyof typeof groups

const groupOf = ({ gifs }: PlacementRules, { kind, mime_type }: KnownMedia): Group =>
  kind === "image" && mime_type === "image/gif" && gifs !== undefined ? "gifs" : groupOfKind[kind]

const groupOfKind: Readonly<Record<MediaKind, Group>> = {
  image: "images",
  video: "videos",
  document: "documents"
}

const countProblems = (placement: PlacementRules, media: ReadonlyArray<PreflightMedia>, path: string) => {
  // Media whose kind is not known yet are only counted.
  const most = placement.max_count ?? (media.every(isKnown) ? undefined : room(placement))
  const found = (rule: string, sentence: string, limit: number, value: number): Finding => ({
    path,
    code: "media_not_accepted",
    rule,
    limit,
    value,
    sentence
  })
  const counts = Map.groupBy(media.filter(isKnown), (item) => groupOf(placement, item))
  const taken = [...counts].filter(([group]) => placement[group] !== undefined)
  return [
    ...taken.flatMap(([group, { length }]) => {
      const limit = placement[group]!.max_count
      return length > limit
        ? [
            found(
              `${group}.max_count`,
              `allows at most ${counted(limit, group)}; there are ${length}.`,
              limit,
              length
            )
          ]
        : []
    }),
    ...(most !== undefined && media.length > most
      ? [
          found(
            "max_count",
            `allows at most ${most} media items; there are ${media.length}.`,
            most,
            media.length
          )
        ]
      : []),
    ...(!placement.mixed && taken.length > 1
      ? [
          found(
            "mixed",
            `allows one kind of media in a post; this one has ${taken.map(([group]) => groups[group]).join(" and ")}.`,
            1,
            taken.length
          )
        ]
      : [])
  ]
}

const room = (placement: PlacementRules) => {
  const counts = (Object.keys(groups) as Array<Group>).map((group) => placement[group]?.max_count ?? 0)
  return placement.mixed ? counts.reduce((sum, count) => sum + count, 0) : Math.max(...counts)
}

const counted = (count: number, group: Group) =>
  `${count} ${count === 1 ? groups[group].slice(0, -1) : groups[group]}`

const sizeProblems = (
  { equal_size }: PlacementRules,
  media: ReadonlyArray<PreflightMedia>,
  path: string
): ReadonlyArray<Finding> => {
  const sizes = media.flatMap(({ width, height }) =>
    width === null || height === null ? [] : [`${width} x ${height}`]
  )
  return equal_size && new Set(sizes).size > 1
    ? [
        {
          path,
          code: "media_not_accepted",
          rule: "equal_size",
          value: sizes,
          sentence: `needs all images of a post to have the same size; these are ${sizes.join(", ")}.`
        }
      ]
    : []
}

/** Images that can be converted to what the platform takes. */
const convertible = ["image/jpeg", "image/png", "image/webp", "image/gif"]

const itemProblems = (
  placement: PlacementRules,
  item: KnownMedia,
  fitting: Fitting,
  path: string
): ReadonlyArray<Finding> => {
  const about = `(media ${item.id}, ${item.name || item.mime_type})`
  const rules = mediaRulesFor(placement, item)
  if (rules === undefined) {
    return [
      {
        path,
        code: "media_not_accepted",
        media_id: item.id,
        rule: "kind",
        value: item.kind,
        sentence: `does not accept ${item.kind}s${placement.name === "post" ? "" : ` in its ${placement.name}`} ${about}.`
      }
    ]
  }
  const fitted = fitting.processing_enabled && item.kind === "image" && convertible.includes(item.mime_type)
  const broken =
    convertsVideo(fitting) && item.kind === "video"
      ? unmended(item, rules)
      : brokenLimits(item, rules, fitted)
  return broken.map(({ sentence, ...broken }) => ({
    path,
    code: "media_not_accepted",
    media_id: item.id,
    ...broken,
    sentence: `${sentence} ${about}.`
  }))
}
