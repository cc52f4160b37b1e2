import { useEffect, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { toggled } from "../ui/toggled.ts"
import { SearchField } from "../ui/SearchField.tsx"
import { useTileGrid } from "./useTileGrid.ts"
import { words } from "./en.ts"
import { mediaFacts } from "./mediaFacts.ts"
import { MediaTile } from "./MediaTile.tsx"
import { type MediaFilters, useMediaList } from "../data/media.ts"

interface Props {
  /** Only these kinds. */
  readonly kinds?: MediaFilters["type"]
  /** Adds the first chosen file at once. */
  readonly single?: boolean
  readonly onAdd: (ids: ReadonlyArray<string>) => void
  readonly onClose: () => void
}

const found = "-mx-2 h-problems max-h-half overflow-y-auto p-2 scrollbar-thin"

const number = [
  "pointer-events-none absolute start-2 top-2 grid size-6 place-items-center rounded-tile",
  "bg-brand text-xs font-semibold text-on-brand"
].join(" ")

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
    setChosen(toggled(chosen, id))
  }

  const items = list.items.filter(({ status }) => status !== "failed")
  const grid = useTileGrid(items.map(({ id }) => id))

  return (
    <Dialog wide title={words.picker.title} onClose={onClose}>
      <SearchField label={words.search} autoFocus value={q} onChange={setQ} />
      <div className={found} aria-busy={list.isPending}>
        {list.isError && items.length === 0 ? (
          <ErrorState title={words.failedToLoad} error={list.error} onRetry={() => void list.refetch()} />
        ) : items.length === 0 && !list.isPending ? (
          <p className="py-12 text-center text-sm text-soft">
            {asked === "" ? words.picker.empty : words.noMatch.title}
          </p>
        ) : (
          <ul className="grid grid-cols-picker items-start gap-3 max-sm:grid-cols-3" aria-label={words.room}>
            {items.map((media) => {
              const place = chosen.indexOf(media.id)
              return (
                <MediaTile
                  key={media.id}
                  {...grid.tileProps(media.id)}
                  media={media}
                  chosen={place >= 0}
                  aria-pressed={single ? undefined : place >= 0}
                  facts={media.status === "ready" ? mediaFacts(media) : words.fetching}
                  onClick={() => choose(media.id)}
                >
                  {place >= 0 && (
                    <span className={number} aria-hidden="true">
                      {place + 1}
                    </span>
                  )}
                </MediaTile>
              )
            })}
          </ul>
        )}
        {list.hasNextPage && (
          <div className="flex justify-center py-6">
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
