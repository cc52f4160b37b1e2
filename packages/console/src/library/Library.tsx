import { getRouteApi } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { PageName } from "../ui/PageName.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Segments } from "../ui/Segments.tsx"
import { AddressDialog } from "../media/AddressDialog.tsx"
import { Drawer } from "./Drawer.tsx"
import { words } from "../media/en.ts"
import { FileDrop } from "../media/FileDrop.tsx"
import { filtersOf, type LibrarySearch, shows } from "./librarySearch.ts"
import { LibraryTile } from "./LibraryTile.tsx"
import { useTileGrid } from "../media/useTileGrid.ts"
import { upload, useUploads } from "../media/useUploads.ts"
import { UploadTile } from "../media/UploadTile.tsx"
import { useFileChooser } from "../media/useFileChooser.tsx"
import { useMediaCount, useMediaList } from "../data/media.ts"
import "../styles/library.css"
import "./Library.css"

const route = getRouteApi("/library")

export const Library = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (change: Partial<Record<keyof LibrarySearch, string | undefined>>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }) as LibrarySearch, replace })

  const { file, q, show = "all" } = search
  const list = useMediaList(filtersOf(search))
  const all = useMediaCount({ status: ["ready"] })
  const undescribed = useMediaCount({ status: ["ready"], described: false })
  const uploads = useUploads()
  const [address, setAddress] = useState(false)
  const [part, setPart] = useState<"file" | "alt">("file")
  const [typed, setTyped] = useState(q ?? "")
  const chooser = useFileChooser(words.upload, upload)
  const rest = useRef<HTMLDivElement>(null)

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
      { root: end.closest(".library-list"), rootMargin: "600px" }
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
  const grid = useTileGrid(items.map(({ id }) => id))

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

  const isFiltered = show !== "all" || q !== undefined
  const isEmpty = items.length === 0 && onTheirWay.length === 0

  return (
    <>
      <div className="bar">
        <h1>
          <PageName />
        </h1>
        {all !== undefined && all.total > 0 && (
          <span className="soft figures">
            {words.files(`${all.total.toLocaleString("en")}${all.whole ? "" : "+"}`, all.total === 1)}
          </span>
        )}
        <div className="shows">
          <Segments
            label={words.show.label}
            options={shows.map((one) => ({
              id: one,
              name:
                one === "undescribed" && undescribed !== undefined && undescribed.total > 0 ? (
                  <>
                    {words.show[one]} <span className="badge">{undescribed.total}</span>
                  </>
                ) : (
                  words.show[one]
                )
            }))}
            chosen={show}
            onChoose={(one) => go({ show: one === "all" ? undefined : one })}
          />
        </div>
        <div className="library-tools">
          <label className="search-field">
            <Icon name="search" />
            <span className="unseen">{words.search}</span>
            <input
              type="search"
              value={typed}
              placeholder={words.search}
              onChange={({ target }) => setTyped(target.value)}
            />
          </label>
          <Button aria-label={words.address.title} onPress={() => setAddress(true)}>
            <Icon name="globe" />
            <span className="long">{words.address.title}</span>
          </Button>
          <Button look="main" onPress={chooser.open}>
            <Icon name="upload" />
            {words.upload}
          </Button>
          {chooser.input}
        </div>
      </div>
      <FileDrop onFiles={(files) => upload(files)} />
      <div className="library" data-open={file !== undefined || undefined}>
        <div className="library-list" aria-busy={list.isPending}>
          {list.isError && items.length === 0 ? (
            <ErrorState title={words.failedToLoad} error={list.error} onRetry={() => void list.refetch()} />
          ) : isEmpty && !list.isPending ? (
            isFiltered ? (
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
              <EmptyState title={words.empty.title} text={words.empty.text}>
                <Button onPress={chooser.open}>
                  <Icon name="upload" />
                  {words.upload}
                </Button>
              </EmptyState>
            )
          ) : (
            <ul className="shots" aria-label={words.room}>
              {onTheirWay.map((one) => (
                <UploadTile key={one.key} upload={one} />
              ))}
              {list.isPending
                ? Array.from({ length: 12 }, (_, index) => (
                    <li key={index} className="shot waiting" aria-hidden="true">
                      <div className="frame" />
                      <p className="name" />
                    </li>
                  ))
                : items.map((item) => (
                    <LibraryTile
                      key={item.id}
                      media={item}
                      chosen={item.id === file}
                      meanwhile={previews.get(item.id)}
                      tileProps={grid.tileProps(item.id)}
                      onOpen={(id, about) => {
                        setPart(about)
                        go({ file: id }, file !== undefined)
                      }}
                    />
                  ))}
            </ul>
          )}
          {hasNextPage && (
            <div className="rest" ref={rest}>
              <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
                {words.more}
              </Button>
            </div>
          )}
        </div>
        {file !== undefined && <Drawer id={file} part={part} onStep={step} onClose={close} />}
      </div>
      {address && <AddressDialog onAdd={() => {}} onClose={() => setAddress(false)} />}
    </>
  )
}
