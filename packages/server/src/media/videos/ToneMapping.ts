import { Effect } from "effect"
import { ffmpeg } from "./Ffmpeg.ts"

/** The curve of a high dynamic range. */
export type HighRange = "pq" | "hlg"

const names = { pq: "smpte2084", hlg: "arib-std-b67" } as const

/** The filters that map a high dynamic range to the standard one; highlights are compressed, not cut off. */
export const toneMapping = (range: HighRange): ReadonlyArray<string> => [
  `zscale=tin=${names[range]}:min=bt2020nc:pin=bt2020:rin=limited:t=linear:npl=100`,
  "format=gbrpf32le",
  "zscale=p=bt709",
  "tonemap=hable:desat=0",
  "zscale=t=bt709:m=bt709:r=limited"
]

/** Whether this build of ffmpeg has them. */
export const canToneMap = (program: string): Effect.Effect<boolean> =>
  ffmpeg(program, ["-hide_banner", "-filters"]).pipe(
    Effect.timeout("30 seconds"),
    Effect.map((filters) => ["zscale", "tonemap"].every((name) => new RegExp(` ${name} `).test(filters))),
    Effect.orElseSucceed(() => false)
  )
