import type { Media } from "@carillon/sdk"
import { useState } from "react"
import { Icon } from "../ui/Icon.tsx"
import { durationWords, typeName } from "./mediaFacts.ts"
import { mediaOutdated } from "../data/media.ts"

interface Props {
  readonly media: Pick<
    Media,
    "id" | "kind" | "mime_type" | "thumbnail_url" | "duration_ms" | "importing" | "status"
  >
  /** What is shown until the picture is there. */
  readonly meanwhile?: string | null | undefined
  /** What a screen reader says of it; nothing where its name is beside it. */
  readonly alt?: string
}

/** The small picture of a file, or what stands for it. */
export const Thumbnail = ({ alt = "", media, meanwhile }: Props) => {
  const { duration_ms, id, importing, kind, mime_type, status, thumbnail_url } = media
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <>
      {thumbnail_url !== null && thumbnail_url !== broken ? (
        <img
          src={thumbnail_url}
          alt={alt}
          loading="lazy"
          draggable={false}
          style={kind === "image" && meanwhile ? { backgroundImage: `url("${meanwhile}")` } : undefined}
          onError={() => {
            setBroken(thumbnail_url)
            void mediaOutdated(id)
          }}
        />
      ) : (
        <span className="stand-in">
          <Icon
            name={
              status === "failed"
                ? "warning"
                : kind === "video"
                  ? "play"
                  : kind === "document"
                    ? "document"
                    : importing
                      ? "download"
                      : "picture"
            }
          />
          {mime_type !== null && kind !== "video" && <span>{typeName(mime_type)}</span>}
        </span>
      )}
      {kind === "video" && (
        <span className="length" data-length>
          <Icon name="play" />
          {duration_ms !== null && durationWords(duration_ms)}
        </span>
      )}
    </>
  )
}
