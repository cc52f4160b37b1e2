import type { ReadyMedia } from "../files/MediaRow.ts"
import { sourceArguments } from "./SourceArguments.ts"
import { type HighRange, toneMapping } from "./ToneMapping.ts"

/** The time of a frame and its least size: a smaller frame is scaled up. The sides of an upright one change places. */
export interface WantedFrame {
  /** Milliseconds from the start of the video; the frame shown then is cut. */
  readonly at: number
  readonly min_width: number
  readonly min_height: number
}

/** Seconds of CPU time. */
const processorTime = 60

/** Reading begins this many seconds before the moment; hardly any frame is shown for longer. */
const lookBack = 5

/** Nothing is scaled up beyond this. */
const largestEnlarged = 4096

/** The arguments of ffmpeg that write the frame shown at a moment as a PNG. */
export const frameArguments = (
  input: Pick<ReadyMedia, "mime_type" | "width" | "height"> & { readonly path: string },
  output: string,
  { at, min_width, min_height }: WantedFrame,
  range: HighRange | null
): ReadonlyArray<string> => {
  const from = Math.max(0, at / 1000 - lookBack)
  const filters = [
    // The sound may last longer than the picture; the last frame stays.
    "tpad=stop=-1:stop_mode=clone",
    // The moment becomes zero, at which the first frame comes out: the last of those that do not begin later.
    `setpts=PTS-${at / 1000 - from}/TB`,
    "fps=1:start_time=0:round=up",
    ...scaling(input, min_width, min_height),
    ...(range === null ? [] : [...toneMapping(range), "format=yuv420p"])
  ]
  return [
    ["-nostdin", "-hide_banner", "-loglevel", "error", "-timelimit", String(processorTime)],
    ["-ss", String(from), ...sourceArguments(input)],
    ["-map", "0:v:0", "-an", "-sn", "-dn", "-vf", filters.join(","), "-frames:v", "1", "-threads", "2"],
    ["-c:v", "png", "-pix_fmt", "rgb24", "-f", "image2", "-update", "1", "-y", `file:${output}`]
  ].flat()
}

const scaling = (
  { width, height }: Pick<ReadyMedia, "width" | "height">,
  minWidth: number,
  minHeight: number
) => {
  if (width === null || height === null) return []
  const [across, down] = height > width ? [minHeight, minWidth] : [minWidth, minHeight]
  const wanted = Math.max(across / width, down / height)
  const factor = Math.max(1, Math.min(wanted, largestEnlarged / Math.max(width, height)))
  return [`scale=${Math.round(width * factor)}:${Math.round(height * factor)}`]
}
