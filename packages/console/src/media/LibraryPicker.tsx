import { useEffect, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { useTileGrid } from "./useTileGrid.ts"
import { words } from "./en.ts"
import { mediaFacts } from "./mediaFacts.ts"
import { Thumbnail } from "./Thumbnail.tsx"
import { type MediaFilters, useMediaList } from "../data/media.ts"
import "./LibraryPicker.css"

interface Props {
  /** Only these kinds. */
  readonly kinds?: MediaFilters["type"]
  /** Adds the first chosen file at once. */
  readonly single?: boolean
  readonly onAdd: (ids: ReadonlyArray<string>) => void
  readonly onClose: () => void
}

/** Chooses files of the library. */
export const LibraryPicker = ({ kinds, onAdd, onClose, single = false }: Props) => {
  const [q, setQ] = useState("")
  const [asked, setAsked] = useState("")
  const [chosen, setChosen] = useState<ReadonlyArray<string>>([])
  const list = useMediaList({
    ...(kinds === undefined ? {} : { type: kinds }),
    ...(asked === "" ? {} : { q: asked })
  })

  useEffect(() => {
    const soon = setTimeout(() => setAsked(q.trim()), 250)
    return () => clearTimeout(soon)
  }, [q])

  const choose = (id: string) => {
    if (single) return onAdd([id])
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  }

  const items = list.items.filter(({ status }) => status !== "failed")
  const grid = useTileGrid(items.map(({ id }) => id))

  return (
    <Dialog wide title={words.picker.title} onClose={onClose}>
      <label className="search-field">
        <Icon name="search" />
        <span className="unseen">{words.search}</span>
        <input
          type="search"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog opened for this search.
          autoFocus
          value={q}
          placeholder={words.search}
          onChange={({ target }) => setQ(target.value)}
        />
      </label>
      <div className="picker-list" aria-busy={list.isPending}>
        {list.isError && items.length === 0 ? (
          <ErrorState title={words.failedToLoad} error={list.error} onRetry={() => void list.refetch()} />
        ) : items.length === 0 && !list.isPending ? (
          <p className="soft">{asked === "" ? words.picker.empty : words.noMatch.title}</p>
        ) : (
          <ul className="shots" aria-label={words.room}>
            {items.map((media) => {
              const place = chosen.indexOf(media.id)
              return (
                <li key={media.id} className="shot" data-chosen={place >= 0 || undefined}>
                  <button
                    type="button"
                    className="open"
                    data-file={media.id}
                    aria-pressed={single ? undefined : place >= 0}
                    {...grid.tileProps(media.id)}
                    onClick={() => choose(media.id)}
                  >
                    <span className="frame">
                      <Thumbnail media={media} />
                      {place >= 0 && (
                        <span className="number" aria-hidden="true">
                          {place + 1}
                        </span>
                      )}
                    </span>
                    <span className="name">{media.name}</span>
                    <span className="facts">
                      <span>{media.status === "ready" ? mediaFacts(media) : words.fetching}</span>
                    </span>
                  </button>
                </li>
              )
            })}
          </ul>
        )}
        {list.hasNextPage && (
          <div className="rest">
            <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
              {words.more}
            </Button>
          </div>
        )}
      </div>
      <div className="actions">
        <Button onPress={onClose}>{words.picker.cancel}</Button>
        {!single && (
          <Button look="main" isDisabled={chosen.length === 0} onPress={() => onAdd(chosen)}>
            {words.picker.add(chosen.length)}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
