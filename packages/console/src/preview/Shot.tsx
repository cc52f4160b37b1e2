import type { Media } from "@carillon/sdk"
import { useState } from "react"
import { Icon } from "../ui/Icon.tsx"
import { loading, noPicture, play } from "./en.ts"
import { lengthOf } from "./layout.ts"

export interface Cover {
  readonly picture: Media | undefined
  readonly at: number | undefined
}

interface Props {
  /** Undefined: still loading. */
  readonly item: Media | undefined
  readonly cover?: Cover | undefined
  /** Shows all of it, with bars where its ratio differs. */
  readonly whole?: boolean
}

/** Larger files are shown by their thumbnail. */
const large = 4_000_000

const drawn = ["image/jpeg", "image/png", "image/webp", "image/gif"]

const pictureOf = ({ mime_type, size_bytes, thumbnail_url, url }: Media) =>
  mime_type !== null && drawn.includes(mime_type) && (size_bytes ?? 0) <= large
    ? (url ?? thumbnail_url)
    : thumbnail_url

/** One picture or video of a post. */
export const Shot = ({ cover, item, whole = false }: Props) => {
  const [broken, setBroken] = useState(false)
  const [playing, setPlaying] = useState(false)
  const look = whole ? "medium whole" : "medium"
  if (item === undefined || (item.status !== "ready" && item.url === null))
    return (
      <span className={`${look} empty`} aria-busy="true">
        <span className="unseen">{loading}</span>
      </span>
    )
  if (item.kind === "video" && item.url !== null) {
    if (playing)
      return (
        <span className={look}>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the service knows no captions. */}
          <video src={item.url} controls autoPlay playsInline />
        </span>
      )
    const poster = cover?.picture === undefined ? item.thumbnail_url : pictureOf(cover.picture)
    return (
      <span className={look}>
        {cover?.picture === undefined && (cover?.at !== undefined || poster === null) ? (
          <video
            key={cover?.at ?? 0}
            src={`${item.url}#t=${(cover?.at ?? 0) / 1000}`}
            preload="metadata"
            muted
            playsInline
            tabIndex={-1}
            aria-hidden="true"
          />
        ) : (
          <img src={poster ?? undefined} alt={item.alt_text ?? ""} />
        )}
        <button type="button" className="play" aria-label={play} onClick={() => setPlaying(true)}>
          <Icon name="play" />
        </button>
        {item.duration_ms !== null && <span className="lasts figures">{lengthOf(item.duration_ms)}</span>}
      </span>
    )
  }
  const source = item.kind === "image" ? pictureOf(item) : null
  return source === null || broken ? (
    <span className={`${look} empty`}>
      <Icon name="picture" />
      <span className="name">{item.name}</span>
      <span className="unseen">{noPicture}</span>
    </span>
  ) : (
    <span className={look}>
      <img src={source} alt={item.alt_text ?? ""} decoding="async" onError={() => setBroken(true)} />
    </span>
  )
}
