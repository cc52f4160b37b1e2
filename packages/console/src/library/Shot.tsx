import type { Media } from "@carillon/sdk"
import { words } from "../media/en.ts"
import { factsOf } from "../media/facts.ts"
import { Thumbnail } from "../media/Thumbnail.tsx"

interface Props {
  readonly media: Media
  readonly chosen: boolean
  readonly current: boolean
  readonly meanwhile?: string | null | undefined
  readonly onFocus: (id: string) => void
  readonly onOpen: (id: string, part: "file" | "alt") => void
}

const isDescribed = ({ alt_text }: Media) => alt_text !== null && alt_text !== ""

/** A file of the library: its picture, its name and facts below, and on the picture only what it lacks. */
export const Shot = ({ chosen, current, meanwhile, media, onFocus, onOpen }: Props) => {
  const isThere = media.status === "ready"
  return (
    <li className="shot" data-chosen={chosen || undefined}>
      <button
        type="button"
        className="open"
        data-file={media.id}
        tabIndex={current ? 0 : -1}
        aria-current={chosen || undefined}
        onFocus={() => onFocus(media.id)}
        onClick={() => onOpen(media.id, "file")}
      >
        <span className="frame">
          <Thumbnail media={media} meanwhile={meanwhile} />
        </span>
        <span className="name">{media.name}</span>
        <span className="facts">
          <span>{isThere ? factsOf(media) : media.importing ? words.fetching : words.notFetched}</span>
          {isThere && <span>{words.usedIn(media.used_by.length)}</span>}
        </span>
      </button>
      {isThere && !isDescribed(media) && media.kind !== "document" && (
        <button
          type="button"
          className="describe"
          tabIndex={current ? 0 : -1}
          onClick={() => onOpen(media.id, "alt")}
        >
          {words.describe}
          <span className="unseen"> {media.name}</span>
        </button>
      )}
    </li>
  )
}
