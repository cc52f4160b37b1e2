import type { Media } from "@carillon/sdk"
import { Icon } from "../ui/Icon.tsx"
import { words } from "../media/en.ts"
import { mediaFacts } from "../media/mediaFacts.ts"
import type { TileProps } from "../media/useTileGrid.ts"
import { MediaTile } from "../media/MediaTile.tsx"
import { onPicture } from "../media/onPicture.ts"

interface Props {
  readonly media: Media
  /** It is open beside the list. */
  readonly isOpen: boolean
  /** Whether it is one of those that are being chosen, if any are. */
  readonly chosen: boolean | undefined
  readonly meanwhile?: string | null | undefined
  readonly tileProps: TileProps
  readonly onOpen: (id: string, part: "file" | "alt") => void
  readonly onChoose: (id: string, through: boolean) => void
}

const isDescribed = ({ alt_text }: Media) => alt_text !== null && alt_text !== ""

/** A finger points at nothing before it presses. */
const whenPointedAt =
  "pointer-fine:opacity-0 group-hover/tile:opacity-100 group-focus-within/tile:opacity-100"

/** A file of the library. The picture carries a button only while a description is missing. */
export const LibraryTile = ({ chosen, isOpen, meanwhile, media, onChoose, onOpen, tileProps }: Props) => {
  const isThere = media.status === "ready"
  return (
    <MediaTile
      {...tileProps}
      media={media}
      meanwhile={meanwhile}
      chosen={isOpen || chosen === true}
      aria-current={isOpen || undefined}
      aria-pressed={chosen}
      facts={
        <>
          <span className="truncate">
            {isThere ? mediaFacts(media) : media.importing ? words.fetching : words.notFetched}
          </span>
          {isThere && <span className="flex-none">{words.usedIn(media.used_by.length)}</span>}
        </>
      }
      onClick={({ ctrlKey, metaKey, shiftKey }) => {
        if (chosen !== undefined || ctrlKey || metaKey) onChoose(media.id, shiftKey)
        else onOpen(media.id, "file")
      }}
    >
      {chosen === true && (
        <span className={`${onPicture} pointer-events-none end-2 top-2`} aria-hidden="true">
          <Icon name="check" />
        </span>
      )}
      {chosen === undefined && isThere && !isDescribed(media) && media.kind !== "document" && (
        <button
          type="button"
          className={`${onPicture} ${whenPointedAt} start-2 top-2 cursor-pointer`}
          tabIndex={tileProps.tabIndex}
          onClick={() => onOpen(media.id, "alt")}
        >
          {words.describe}
          <span className="unseen"> {media.name}</span>
        </button>
      )}
    </MediaTile>
  )
}
