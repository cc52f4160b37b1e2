import type { Media } from "@carillon/sdk"
import { words } from "../media/en.ts"
import { mediaFacts } from "../media/mediaFacts.ts"
import type { TileProps } from "../media/useTileGrid.ts"
import { Thumbnail } from "../media/Thumbnail.tsx"

interface Props {
  readonly media: Media
  readonly chosen: boolean
  readonly meanwhile?: string | null | undefined
  readonly tileProps: TileProps
  readonly onOpen: (id: string, part: "file" | "alt") => void
}

const isDescribed = ({ alt_text }: Media) => alt_text !== null && alt_text !== ""

/** A file of the library. The picture carries a button only while a description is missing. */
export const LibraryTile = ({ chosen, meanwhile, media, onOpen, tileProps }: Props) => {
  const isThere = media.status === "ready"
  return (
    <li className="shot" data-chosen={chosen || undefined}>
      <button
        type="button"
        className="open"
        data-file={media.id}
        aria-current={chosen || undefined}
        {...tileProps}
        onClick={() => onOpen(media.id, "file")}
      >
        <span className="frame">
          <Thumbnail media={media} meanwhile={meanwhile} />
        </span>
        <span className="name">{media.name}</span>
        <span className="facts">
          <span>{isThere ? mediaFacts(media) : media.importing ? words.fetching : words.notFetched}</span>
          {isThere && <span>{words.usedIn(media.used_by.length)}</span>}
        </span>
      </button>
      {isThere && !isDescribed(media) && media.kind !== "document" && (
        <button
          type="button"
          className="describe"
          tabIndex={tileProps.tabIndex}
          onClick={() => onOpen(media.id, "alt")}
        >
          {words.describe}
          <span className="unseen"> {media.name}</span>
        </button>
      )}
    </li>
  )
}
