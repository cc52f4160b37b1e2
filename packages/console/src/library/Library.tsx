import type { Media } from "@carillon/sdk"
import { getRouteApi } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { PageName } from "../ui/PageName.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Segments } from "../ui/Segments.tsx"
import { AddressDialog } from "../media/AddressDialog.tsx"
import { Drawer } from "./Drawer.tsx"
import { words } from "../media/en.ts"
import { Captioned } from "../media/Captioned.tsx"
import { FileDrop } from "../media/FileDrop.tsx"
import { ChosenBar } from "./ChosenBar.tsx"
import { RemoveFilesDialog } from "./RemoveFilesDialog.tsx"
import { useChosen } from "./useChosen.ts"
import { filtersOf, type LibrarySearch, shows } from "./librarySearch.ts"
import { LibraryTile } from "./LibraryTile.tsx"
import { useTileGrid } from "../media/useTileGrid.ts"
import { upload, useUploads } from "../media/useUploads.ts"
import { UploadTile } from "../media/UploadTile.tsx"
import { useFileChooser } from "../media/useFileChooser.tsx"
import { useMediaCount, useMediaList } from "../data/media.ts"

const route = getRouteApi("/library")

const head =
  "flex flex-none flex-wrap items-center gap-x-4 gap-y-2 py-4 max-sm:px-4 max-sm:control:min-h-touch"
const filters = "overflow-x-auto scrollbar-none *:min-w-max max-lg:order-last max-lg:w-full"
/** Where there is no space for both, an open file takes the whole room; the list keeps its place below it. */
const below = "max-lg:group-data-open:hidden"
const columns = "relative grid min-h-0 flex-1 grid-rows-open gap-4 lg:data-open:grid-cols-file"
const listed = [
  "-mx-2 overflow-y-auto px-2 pb-6 scrollbar-thin max-sm:mx-0 max-sm:px-4",
  "max-lg:group-data-open:invisible"
].join(" ")
const tiles = "grid grid-cols-files items-start gap-x-4 gap-y-6 py-1 max-sm:grid-cols-2 max-sm:gap-3"

/** As high as a line of text. */
const blank = "\u00a0"

export const Library = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (change: Partial<Record<keyof LibrarySearch, string | undefined>>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }) as LibrarySearch, replace })

  const { file, q, show = "all" } = search
  const isOpen = file !== undefined
  const list = useMediaList(filtersOf(search))
  const all = useMediaCount({ status: ["ready"] })
  const undescribed = useMediaCount({ status: ["ready"], described: false })
  const uploads = useUploads()
  const [address, setAddress] = useState(false)
  const [part, setPart] = useState<"file" | "alt">("file")
  const [typed, setTyped] = useState(q ?? "")
  const chooser = useFileChooser(words.upload, upload)
  const rest = useRef<HTMLDivElement>(null)
  const uploadButton = useRef<HTMLButtonElement>(null)
  const chooseButton = useRef<HTMLButtonElement>(null)

  const wanted = typed.trim()
  useEffect(() => {
    if (wanted === (q ?? "")) return
    const soon = setTimeout(() => go({ q: wanted === "" ? undefined : wanted }, true), 250)
    return () => clearTimeout(soon)
  })

  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list
  useEffect(() => {
    const end = rest.current
    if (end === null || !hasNextPage || isFetchingNextPage) return
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (entry!.isIntersecting) void fetchNextPage()
      },
      { root: end.closest("[data-list]"), rootMargin: "600px" }
    )
    seen.observe(end)
    return () => seen.disconnect()
  }, [fetchNextPage, hasNextPage, isFetchingNextPage])

  const previews = new Map(uploads.map(({ media, preview }) => [media?.id, preview]))
  const onTheirWay = uploads.filter(({ state }) => state !== "done").toReversed()
  const listedAt = list.isPlaceholderData ? Infinity : list.dataUpdatedAt
  // A finished upload keeps its place until the list contains it.
  const arrived = uploads
    .flatMap(({ at, media }) =>
      media !== null && at > listedAt && !list.items.some(({ id }) => id === media.id) ? [media] : []
    )
    .toReversed()
  const items = [...arrived, ...list.items]
  const ids = items.map(({ id }) => id)
  const grid = useTileGrid(ids)
  const { chosen, end: endChoosing, ...choosing } = useChosen(ids)
  const chosenFiles = (chosen ?? []).flatMap((id) => items.find((one) => one.id === id) ?? [])
  const [removing, setRemoving] = useState<ReadonlyArray<Media> | null>(null)

  const close = () => {
    go({ file: undefined })
    // On a phone the list is hidden until the drawer has closed.
    if (file !== undefined) requestAnimationFrame(() => grid.focus(file))
  }

  const step = (by: -1 | 1) => {
    const at = items.findIndex(({ id }) => id === file)
    const next = items[at + by]
    if (next === undefined) return
    setPart("file")
    grid.setTabStop(next.id)
    go({ file: next.id }, true)
    grid.scrollTo(next.id)
  }

  const isEmpty = items.length === 0 && onTheirWay.length === 0 && !list.isPending && !list.isError
  const isNew = isEmpty && !list.isPlaceholderData && show === "all" && q === undefined
  const bar = isNew ? "new" : chosen === null ? "list" : "chosen"
  const before = useRef(bar)
  useEffect(() => {
    // The button that was pressed has given way to others.
    if (before.current !== bar && document.activeElement === document.body)
      (before.current === "new" ? uploadButton : chooseButton).current?.focus()
    before.current = bar
  }, [bar])
  const toDescribe = undescribed?.total ?? 0

  const ways = (
    <>
      <Button aria-label={words.address.title} onPress={() => setAddress(true)}>
        <Icon name="globe" />
        <span className={isNew ? undefined : "max-lg:hidden"}>{words.address.title}</span>
      </Button>
      <Button ref={uploadButton} look={isOpen || list.isError ? undefined : "main"} onPress={chooser.open}>
        <Icon name="upload" />
        {words.upload}
      </Button>
    </>
  )

  return (
    <>
      <div className={`group ${head}`} data-open={isOpen || undefined}>
        <h1>
          <PageName />
        </h1>
        {all !== undefined && all.total > 0 && (
          <span className="text-sm text-soft tabular-nums">
            {words.files(`${all.total.toLocaleString("en")}${all.whole ? "" : "+"}`, all.total === 1)}
          </span>
        )}
        {!isNew && (
          <>
            <div className={`${filters} ${below}`} data-sideways>
              <Segments
                label={words.show.label}
                options={shows.map((one) => ({
                  id: one,
                  name:
                    one === "undescribed" && toDescribe > 0
                      ? `${words.show[one]} ${toDescribe}`
                      : words.show[one]
                }))}
                chosen={show}
                onChoose={(one) => go({ show: one === "all" ? undefined : one })}
              />
            </div>
            {chosen === null ? (
              <div className={`ms-auto flex min-w-0 gap-2 max-sm:w-full ${below}`}>
                <SearchField label={words.search} value={typed} onChange={setTyped} />
                <Button ref={chooseButton} aria-label={words.choosing.choose} onPress={choosing.begin}>
                  <Icon name="check" />
                  <span className="max-lg:hidden">{words.choosing.begin}</span>
                </Button>
                {ways}
              </div>
            ) : (
              <ChosenBar
                count={chosen.length}
                listed={items.length}
                onAll={choosing.all}
                onRemove={() => setRemoving(chosenFiles)}
                onWrite={() =>
                  void navigate({
                    to: "/compose",
                    search: { media: chosenFiles.map(({ id }) => id).join(",") }
                  })
                }
                onEnd={endChoosing}
              />
            )}
          </>
        )}
        {chooser.input}
      </div>
      <FileDrop onFiles={(files) => upload(files)} />
      <div className={`group ${columns}`} data-open={isOpen || undefined}>
        <div className={listed} data-list aria-busy={list.isPending}>
          {list.isError && items.length === 0 ? (
            <ErrorState title={words.failedToLoad} error={list.error} onRetry={() => void list.refetch()} />
          ) : isNew ? (
            <EmptyState title={words.empty.title} text={words.empty.text}>
              {ways}
            </EmptyState>
          ) : isEmpty ? (
            <EmptyState title={words.noMatch.title}>
              <Button
                onPress={() => {
                  setTyped("")
                  go({ show: undefined, q: undefined })
                }}
              >
                {words.noMatch.clear}
              </Button>
            </EmptyState>
          ) : (
            <ul className={tiles} aria-label={words.room}>
              {onTheirWay.map((one) => (
                <UploadTile key={one.key} upload={one} />
              ))}
              {list.isPending
                ? Array.from({ length: 12 }, (_, index) => (
                    <li key={index} className="animate-appear" aria-hidden="true">
                      <Captioned name={blank} facts={blank} />
                    </li>
                  ))
                : items.map((item) => (
                    <LibraryTile
                      key={item.id}
                      media={item}
                      isOpen={item.id === file}
                      chosen={chosen?.includes(item.id)}
                      meanwhile={previews.get(item.id)}
                      tileProps={grid.tileProps(item.id)}
                      onChoose={(id, through) => {
                        if (isOpen) go({ file: undefined }, true)
                        choosing.choose(id, through)
                      }}
                      onOpen={(id, about) => {
                        setPart(about)
                        go({ file: id }, file !== undefined)
                      }}
                    />
                  ))}
            </ul>
          )}
          {hasNextPage && (
            <div className="flex justify-center py-6" ref={rest}>
              <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
                {words.more}
              </Button>
            </div>
          )}
        </div>
        {file !== undefined && <Drawer id={file} part={part} onStep={step} onClose={close} />}
      </div>
      {removing !== null && (
        <RemoveFilesDialog
          files={removing}
          onClose={() => setRemoving(null)}
          onRemoved={() => {
            setRemoving(null)
            endChoosing()
          }}
        />
      )}
      {address && <AddressDialog onAdd={() => {}} onClose={() => setAddress(false)} />}
    </>
  )
}
