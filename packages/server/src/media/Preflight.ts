import {
  conversionWarnings,
  preflight,
  type ProblemItem,
  type PreflightInput,
  type PreflightMedia
} from "@carillon/domain"
import { codecsOf, type MediaRow, transferOf } from "./files/MediaRow.ts"

/** The domain's pre-flight for stored media. */
export const checkPost = (
  input: Omit<PreflightInput, "media"> & { readonly media: ReadonlyArray<MediaRow> }
): ReadonlyArray<ProblemItem> => preflight({ ...input, media: input.media.map(toPreflightMedia) })

type ConvertedPost = Omit<Parameters<typeof conversionWarnings>[0], "media"> & {
  readonly media: ReadonlyArray<MediaRow>
}

/** The domain's warnings about videos, for stored media. */
export const conversionsOf = (input: ConvertedPost): ReadonlyArray<string> =>
  conversionWarnings({ ...input, media: input.media.map(toPreflightMedia) })

/** A stored item as the rules take it. */
export const toPreflightMedia = ({ probe, ...row }: MediaRow): PreflightMedia => ({
  ...row,
  ...codecsOf(probe),
  transfer: transferOf(probe),
  frame_rate: numberOrNull(probe?.["frame_rate"]),
  frames: numberOrNull(probe?.["frames"])
})

const numberOrNull = (value: unknown) => (typeof value === "number" ? value : null)
