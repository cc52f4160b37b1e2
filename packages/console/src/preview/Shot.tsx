import type { Media } from "@carillon/sdk"
import { useState } from "react"
import { Icon } from "../ui/Icon.tsx"
import { loading, noPicture, play } from "./en.ts"
import { lengthOf } from "./layout.ts"
import { onPicture } from "../media/onPicture.ts"

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

const box = "relative grid size-full min-h-0 place-items-center"

const empty = "content-center gap-2 bg-sunk p-3 text-center text-xs text-soft"

const drawings = {
  filling: "size-full min-h-0 object-cover",
  whole: "size-full min-h-0 bg-film object-contain"
}

const start =
  "absolute grid size-12 cursor-pointer place-items-center rounded-full border-0 bg-veil text-on-veil *:fill-current"

/** On the screen of a phone, text lies over the lower edge. */
const length =
  "end-2 bottom-2 in-data-reel:start-2 in-data-reel:end-auto in-data-reel:top-2 in-data-reel:bottom-auto"

/** One picture or video of a post. */
export const Shot = ({ cover, item, whole = false }: Props) => {
  const [broken, setBroken] = useState(false)
  const [playing, setPlaying] = useState(false)
  const drawing = drawings[whole ? "whole" : "filling"]
  if (item === undefined || (item.status !== "ready" && item.url === null))
    return (
      <span className={`${box} ${empty}`} aria-busy="true" data-shot>
        <span className="unseen">{loading}</span>
      </span>
    )
  if (item.kind === "video" && item.url !== null) {
    if (playing)
      return (
        <span className={box} data-shot>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the service knows no captions. */}
          <video className={drawing} src={item.url} controls autoPlay playsInline />
        </span>
      )
    const poster = cover?.picture === undefined ? item.thumbnail_url : pictureOf(cover.picture)
    return (
      <span className={box} data-shot>
        {cover?.picture === undefined && (cover?.at !== undefined || poster === null) ? (
          <video
            className={drawing}
            key={cover?.at ?? 0}
            src={`${item.url}#t=${(cover?.at ?? 0) / 1000}`}
            preload="metadata"
            muted
            playsInline
            tabIndex={-1}
            aria-hidden="true"
          />
        ) : (
          <img className={drawing} src={poster ?? undefined} alt={item.alt_text ?? ""} />
        )}
        <button type="button" className={start} aria-label={play} onClick={() => setPlaying(true)}>
          <Icon name="play" />
        </button>
        {item.duration_ms !== null && (
          <span className={`${onPicture} ${length}`}>{lengthOf(item.duration_ms)}</span>
        )}
      </span>
    )
  }
  const source = item.kind === "image" ? pictureOf(item) : null
  return source === null || broken ? (
    <span className={`${box} ${empty}`} data-shot>
      <Icon name="picture" />
      <span className="max-w-full truncate">{item.name}</span>
      <span className="unseen">{noPicture}</span>
    </span>
  ) : (
    <span className={box} data-shot>
      <img
        className={drawing}
        src={source}
        alt={item.alt_text ?? ""}
        decoding="async"
        onError={() => setBroken(true)}
      />
    </span>
  )
}
