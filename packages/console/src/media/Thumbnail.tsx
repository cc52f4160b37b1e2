import type { Media } from "@carillon/sdk"
import { type ReactNode, useState } from "react"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { durationWords, typeName } from "./mediaFacts.ts"
import { mediaOutdated } from "../data/media.ts"
import { onPicture } from "./onPicture.ts"

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

/** A sign in the place of a picture. */
export const StandIn = ({ children, icon }: { readonly icon: IconName; readonly children?: ReactNode }) => (
  <span className="grid size-full place-content-center justify-items-center gap-1 text-xs font-semibold text-soft">
    <span className="grid *:size-6">
      <Icon name={icon} />
    </span>
    {children}
  </span>
)

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
          className="block size-full bg-cover bg-center object-cover"
          style={kind === "image" && meanwhile ? { backgroundImage: `url("${meanwhile}")` } : undefined}
          onError={() => {
            setBroken(thumbnail_url)
            void mediaOutdated(id)
          }}
        />
      ) : (
        <StandIn
          icon={
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
        >
          {mime_type !== null && kind !== "video" && <span>{typeName(mime_type)}</span>}
        </StandIn>
      )}
      {kind === "video" && (
        <span className={`${onPicture} end-2 bottom-2`}>
          <Icon name="play" />
          {duration_ms !== null && durationWords(duration_ms)}
        </span>
      )}
    </>
  )
}
