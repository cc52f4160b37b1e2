import type { CSSProperties } from "react"

/** Two letters in a soft hue for each network: nobody's sign, and no state's colour. */
const marks: Readonly<Record<string, readonly [letters: string, hue: number]>> = {
  tiktok: ["Tk", 190],
  instagram: ["Ig", 0],
  youtube: ["Yt", 25],
  pinterest: ["Pi", 15],
  twitter: ["X", 85],
  linkedin: ["in", 240],
  facebook: ["Fb", 255],
  threads: ["Th", 310],
  bluesky: ["Bs", 230],
  mastodon: ["Ma", 285],
  google_business: ["Gb", 145],
  sandbox: ["Te", 165]
}

export const Mark = ({
  large = false,
  platform
}: {
  readonly platform: string
  readonly large?: boolean
}) => {
  const [letters, hue] = marks[platform] ?? [platform.slice(0, 2), 0]
  return (
    <span
      className={large ? "mark large" : "mark"}
      aria-hidden="true"
      style={{ "--hue": hue } as CSSProperties}
    >
      {letters}
    </span>
  )
}
