import { type CSSProperties, useState } from "react"
import { Glyph } from "./Glyph.tsx"

interface Props {
  readonly account: {
    readonly platform: string
    readonly username: string
    readonly avatar_url: string | null
  }
  /** In pixels. */
  readonly size?: number
}

const hueOf = (name: string) =>
  ([...name].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) * 47) % 360

/** An account's picture, or its initial, with the glyph of its network on the corner. It is decoration. */
export const Avatar = ({ account: { avatar_url, platform, username }, size = 36 }: Props) => {
  const [broken, setBroken] = useState<string | null>(null)
  const picture = avatar_url === broken ? null : avatar_url
  return (
    <span
      className="avatar"
      aria-hidden="true"
      style={{ "--size": `${size}px`, "--hue": hueOf(username) } as CSSProperties}
    >
      {picture === null ? (
        <span className="initial">{[...username][0]?.toUpperCase()}</span>
      ) : (
        <img
          src={picture}
          alt=""
          width={size}
          height={size}
          decoding="async"
          onError={() => setBroken(picture)}
        />
      )}
      <Glyph platform={platform} />
    </span>
  )
}
