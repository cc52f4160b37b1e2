import { convertedSound, type MimeType, type VideoShape } from "@carillon/domain"
import { sourceArguments } from "./SourceArguments.ts"
import { type HighRange, toneMapping } from "./ToneMapping.ts"

/** Seconds of CPU time, so that a conversion ends by itself when its process has died. */
const processorTime = 2 * 3600

/**
 * The arguments of ffmpeg. The same bytes and shape give the same copy with one build of ffmpeg: another process can
 * finish an upload that one has begun.
 */
export const conversionArguments = (
  input: { readonly path: string; readonly mime_type: MimeType },
  output: string,
  { width, height, frame_rate, bit_rate }: VideoShape,
  range: HighRange | null
): ReadonlyArray<string> => {
  const mapped = range === null ? [] : toneMapping(range)
  return [
    ["-nostdin", "-hide_banner", "-loglevel", "error", "-timelimit", String(processorTime)],
    sourceArguments(input),
    ["-map", "0:v:0", "-map", "0:a:0?", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"],
    ["-vf", [`fps=${frame_rate},scale=${width}:${height},setsar=1`, ...mapped, "format=yuv420p"].join(",")],
    ["-c:v", "libx264", "-profile:v", "high", "-preset", "veryfast", "-crf", "20", "-threads", "2"],
    ["-maxrate", String(bit_rate), "-bufsize", String(bit_rate)],
    ["-c:a", "aac", "-b:a", String(convertedSound), "-ar", "48000", "-ac", "2"],
    ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"],
    ["-movflags", "+faststart", "-f", "mp4", "-n", `file:${output}`]
  ].flat()
}
