import { isPlatformId, platformFacts } from "@carillon/domain/PlatformFacts"
import type { CSSProperties } from "react"

export const Mark = ({
  large = false,
  platform
}: {
  readonly platform: string
  readonly large?: boolean
}) => {
  const [letters, hue] = isPlatformId(platform) ? platformFacts[platform].mark : [platform.slice(0, 2), 0]
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
