import { type CSSProperties, useState } from "react"
import { Mark } from "./Mark.tsx"

interface Props {
  readonly account: { readonly platform: string; readonly avatar_url: string | null }
  /** In pixels. */
  readonly size?: number
}

/** An account's picture with the mark of its network in the corner; the mark alone where there is no picture. It is decoration. */
export const Avatar = ({ account: { avatar_url, platform }, size = 36 }: Props) => {
  const [broken, setBroken] = useState<string | null>(null)
  const picture = avatar_url === broken ? null : avatar_url
  return (
    <span className="avatar" aria-hidden="true" style={{ "--size": `${size}px` } as CSSProperties}>
      {picture !== null && (
        <img
          src={picture}
          alt=""
          width={size}
          height={size}
          decoding="async"
          onError={() => setBroken(picture)}
        />
      )}
      <Mark platform={platform} />
    </span>
  )
}
