import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import type { Media } from "@carillon/sdk"
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState
} from "react"
import { Button as AriaButton } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import type { Account } from "../../accounts/useAccounts.ts"
import { sizeWords } from "../../library/facts.ts"
import { FileDrop } from "../../library/FileDrop.tsx"
import { isCuttable } from "../../library/isCuttable.ts"
import { Thumbnail } from "../../library/Thumbnail.tsx"
import { cancelUpload, upload, useUploads } from "../../library/uploader.ts"
import { percent, type Upload } from "../../library/uploads.ts"
import { Preview, Progress, UploadActions, uploadFacts } from "../../library/UploadTile.tsx"
import { useFileChooser } from "../../library/useFileChooser.tsx"
import { useMedia, useMediaItem } from "../../library/useMedia.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { toast } from "../../ui/toasts.tsx"
import { words } from "./en.ts"
import { filled, idsOf, keysOf, movedTo, type Places, withIds, withMore, without } from "./places.ts"
import "../../styles/library.css"
import "../../styles/media.css"

const AddressDialog = lazy(async () => ({
  default: (await import("../../library/AddressDialog.tsx")).AddressDialog
}))
const AltTextDialog = lazy(async () => ({ default: (await import("./AltTextDialog.tsx")).AltTextDialog }))
const LibraryPicker = lazy(async () => ({
  default: (await import("../../library/LibraryPicker.tsx")).LibraryPicker
}))
const CropDialog = lazy(async () => ({ default: (await import("../../library/CropDialog.tsx")).CropDialog }))

interface Props {
  readonly label: string
  readonly media: ReadonlyArray<string>
  /** Whether it takes what is dropped on the page: there may be a field for each level. */
  readonly takesDrops: boolean
  readonly onChange: (ids: ReadonlyArray<string>) => void
  readonly problems: ReadonlyArray<{ readonly id: string; readonly sentence: string }>
  /** The chosen ones: their networks say in which ratios a picture can be cut. */
  readonly accounts: ReadonlyArray<Account>
  /** How many files are still on their way: a post that goes out now goes without them. */
  readonly onUploading: (count: number) => void
}

type Asked =
  | { readonly dialog: "address" | "library" }
  | { readonly dialog: "alt"; readonly id: string }
  | { readonly dialog: "crop"; readonly media: Media }

interface Carried {
  readonly place: string
  readonly before: Places
}

/** The files of a post, in their order. */
export const MediaField = ({
  accounts,
  label,
  media,
  onChange,
  onUploading,
  problems,
  takesDrops
}: Props) => {
  const [places, setPlaces] = useState<Places>(media)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [carried, setCarried] = useState<Carried | null>(null)
  const [said, setSaid] = useState("")
  const list = useRef<HTMLUListElement>(null)
  const uploads = useUploads()
  const items = useMedia(media)

  const shown = carried === null ? withIds(places, media) : places

  const put = (next: Places) => {
    setPlaces(next)
    const ids = idsOf(next)
    if (ids.join() !== media.join()) onChange(ids)
  }

  // What has arrived takes the place that was kept for it.
  const arrived = uploads.filter(({ key, media: file }) => file !== null && shown.includes(key))
  const settle = useEffectEvent(() => {
    let next = shown
    for (const { key, media: file } of arrived) next = filled(next, key, file!.id)
    put(next)
  })
  const anArrival = arrived.map(({ key }) => key).join()
  useEffect(() => {
    if (anArrival !== "") settle()
  }, [anArrival])

  const onTheirWay = keysOf(shown).filter((key) => uploads.some((one) => one.key === key))
  const tell = useEffectEvent(onUploading)
  useEffect(() => {
    tell(onTheirWay.length)
    return () => tell(0)
  }, [onTheirWay.length])

  const add = (files: Iterable<File>) => put(withMore(shown, upload(files)))
  const chooser = useFileChooser(words.addFiles, add)

  // What is undone is undone in the post as it is then.
  const latest = useRef({ put, shown })
  useLayoutEffect(() => {
    latest.current = { put, shown }
  })

  const remove = (place: string, name: string) => {
    const at = shown.indexOf(place)
    put(without(shown, place))
    toast({
      icon: "trash",
      text: words.removed(name),
      action: {
        label: words.undo,
        act: () => latest.current.put(movedTo(latest.current.shown, place, at))
      }
    })
    list.current?.querySelector<HTMLElement>("[data-add]")?.focus()
  }

  const nameOf = (place: string) =>
    items.get(place)?.name ?? uploads.find(({ key }) => key === place)?.name ?? words.fetching

  const carry = (event: KeyboardEvent, place: string) => {
    const at = shown.indexOf(place)
    if (carried === null) {
      if (!["Enter", " ", "m"].includes(event.key)) return
      event.preventDefault()
      setPlaces(shown)
      setCarried({ place, before: shown })
      setSaid(words.carry.picked(nameOf(place)))
      return
    }
    const to = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: shown.length - 1
    }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      const next = Math.max(0, Math.min(shown.length - 1, to))
      setPlaces(movedTo(shown, place, next))
      setSaid(words.carry.over(next + 1, shown.length))
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      drop()
    } else if (event.key === "Escape") {
      event.preventDefault()
      event.stopPropagation()
      setPlaces(carried.before)
      setCarried(null)
      setSaid(words.carry.left)
    }
  }

  const drop = () => {
    if (carried === null) return
    setCarried(null)
    put(places)
    setSaid(words.carry.put(nameOf(carried.place), places.indexOf(carried.place) + 1))
  }

  // An element that changes its place loses the focus.
  const carriedPlace = carried?.place
  useLayoutEffect(() => {
    if (carriedPlace === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-place="${carriedPlace}"] .handle`)?.focus()
  }, [carriedPlace, places])

  const describable = idsOf(shown).filter((id) => {
    const item = items.get(id)
    return item !== undefined && item.status === "ready" && item.kind !== "document"
  })
  const undescribed = describable.filter((id) => (items.get(id)!.alt_text ?? "") === "")

  return (
    <div className="media-field">
      {takesDrops && <FileDrop onFiles={add} />}
      <ul className="media-tiles" aria-label={label} ref={list}>
        {shown.map((place, index) => {
          const frame = {
            place,
            index,
            count: shown.length,
            lifted: carried?.place === place,
            onCarry: (event: KeyboardEvent) => carry(event, place),
            onLeave: drop,
            onMove: (what: string, to: number) => {
              put(movedTo(shown, what, to))
              setSaid(words.carry.put(nameOf(what), to + 1))
            }
          }
          const way = uploads.find(({ key }) => key === place)
          return way !== undefined ? (
            <WayTile
              key={place}
              frame={frame}
              upload={way}
              onRemove={() => {
                cancelUpload(place)
                put(without(shown, place))
              }}
            />
          ) : place.startsWith("upload-") ? null : (
            <FileTile
              key={place}
              frame={frame}
              preview={uploads.find(({ media: file }) => file?.id === place)?.preview}
              problems={problems.filter(({ id }) => id === place).map(({ sentence }) => sentence)}
              onDescribe={() => setAsked({ dialog: "alt", id: place })}
              onCrop={(file) => setAsked({ dialog: "crop", media: file })}
              onRemove={(name) => remove(place, name)}
            />
          )
        })}
        <li className="add-tile">
          <Icon name="upload" />
          <p>
            <button type="button" data-add data-anchor="media" className="link strong" onClick={chooser.open}>
              {words.addFiles}
            </button>
            {" · "}
            <button
              type="button"
              className="link"
              aria-label={words.from.library}
              onClick={() => setAsked({ dialog: "library" })}
            >
              {words.library}
            </button>
            {" · "}
            <button
              type="button"
              className="link"
              aria-label={words.from.address}
              onClick={() => setAsked({ dialog: "address" })}
            >
              {words.link}
            </button>
          </p>
          {takesDrops && <p className="soft or-drop">{words.orDrop}</p>}
          {chooser.input}
        </li>
      </ul>
      {undescribed.length > 1 && (
        <Button look="quiet" onPress={() => setAsked({ dialog: "alt", id: undescribed[0]! })}>
          <Icon name="pencil" />
          {words.describeAll}
        </Button>
      )}
      <p className="unseen" role="status">
        {said}
      </p>
      <Suspense>
        {asked?.dialog === "library" && (
          <LibraryPicker
            onClose={() => setAsked(null)}
            onAdd={(ids) => {
              setAsked(null)
              put(withMore(shown, ids))
            }}
          />
        )}
        {asked?.dialog === "address" && (
          <AddressDialog onClose={() => setAsked(null)} onAdd={(file) => put(withMore(shown, [file.id]))} />
        )}
        {asked?.dialog === "alt" && (
          <AltTextDialog ids={describable} first={asked.id} onClose={() => setAsked(null)} />
        )}
        {asked?.dialog === "crop" && (
          <CropDialog
            media={asked.media}
            platforms={accounts.map(({ platform }) => platform)}
            onClose={() => setAsked(null)}
            onCut={(file) => {
              setAsked(null)
              // The cut one takes the place of the whole one, which stays in the library.
              const [key] = upload([file], asked.media.alt_text)
              put(shown.map((place) => (place === asked.media.id ? key! : place)))
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

interface Frame {
  readonly place: string
  readonly index: number
  readonly count: number
  readonly lifted: boolean
  readonly onCarry: (event: KeyboardEvent) => void
  readonly onLeave: () => void
  readonly onMove: (place: string, to: number) => void
}

/** A tile that can be carried by its picture, and by keys from its number. */
const Tile = ({
  children,
  frame: { count, index, lifted, onCarry, onLeave, onMove, place },
  kind,
  name
}: {
  readonly frame: Frame
  readonly name: string
  readonly kind: string
  readonly children: ReactNode
}) => {
  const element = useRef<HTMLLIElement>(null)
  const [over, setOver] = useState<"before" | "after" | null>(null)
  const [held, setHeld] = useState(false)
  const move = useEffectEvent(onMove)

  useEffect(() => {
    const tile = element.current!
    const sideOf = (clientX: number) => {
      const { left, width } = tile.getBoundingClientRect()
      return clientX < left + width / 2 ? "before" : "after"
    }
    const stopDrag = draggable({
      element: tile,
      getInitialData: () => ({ file: place, index }),
      onDragStart: () => setHeld(true),
      onDrop: () => setHeld(false)
    })
    const stopDrop = dropTargetForElements({
      element: tile,
      canDrop: ({ source }) => "file" in source.data && source.data["file"] !== place,
      onDrag: ({ location }) => setOver(sideOf(location.current.input.clientX)),
      onDragLeave: () => setOver(null),
      onDrop: ({ location, source }) => {
        setOver(null)
        const from = source.data["index"] as number
        const to = sideOf(location.current.input.clientX) === "before" ? index : index + 1
        move(source.data["file"] as string, from < to ? to - 1 : to)
      }
    })
    return () => {
      stopDrag()
      stopDrop()
    }
  }, [place, index])

  return (
    <li
      ref={element}
      className={`media-tile ${kind}`}
      data-place={place}
      data-lifted={lifted || held || undefined}
      data-over={over ?? undefined}
    >
      <button
        type="button"
        className="handle"
        data-anchor={`media:${place}`}
        aria-label={words.carry.handle(name, index + 1, count)}
        aria-pressed={lifted}
        onKeyDown={onCarry}
        // A click of the pointer lifts nothing: it carries.
        onBlur={({ relatedTarget }) => {
          if (lifted && relatedTarget !== null) onLeave()
        }}
      >
        {index + 1}
      </button>
      {children}
    </li>
  )
}

const WayTile = ({
  frame,
  onRemove,
  upload: way
}: {
  readonly frame: Frame
  readonly upload: Upload
  readonly onRemove: () => void
}) => (
  <Tile frame={frame} name={way.name} kind={`uploading ${way.state}`}>
    <div className="frame">
      <Preview upload={way} />
    </div>
    <div className="beside">
      <p className="name">{way.name}</p>
      <p className="facts figures">
        {way.state === "sending" && way.sent < way.size
          ? words.percentOf(percent(way), sizeWords(way.size))
          : uploadFacts(way)}
      </p>
      {way.state !== "refused" && <Progress upload={way} />}
    </div>
    <div className="corner">
      <UploadActions upload={way} onRemove={onRemove} />
    </div>
  </Tile>
)

const FileTile = ({
  frame,
  onCrop,
  onDescribe,
  onRemove,
  preview,
  problems
}: {
  readonly frame: Frame
  readonly preview: string | null | undefined
  readonly problems: ReadonlyArray<string>
  readonly onDescribe: () => void
  readonly onCrop: (media: Media) => void
  readonly onRemove: (name: string) => void
}) => {
  const { data: file } = useMediaItem(frame.place)
  const name = file === null ? words.gone : (file?.name ?? "")
  const isThere = file?.status === "ready"
  const isDescribed = (file?.alt_text ?? "") !== ""
  const describes = isThere && file.kind !== "document"
  const trouble = [
    ...(file?.status === "failed" && file.error !== null ? [file.error.message] : []),
    ...problems
  ]
  return (
    <Tile frame={frame} name={name} kind={trouble.length > 0 || file === null ? "wrong-file" : ""}>
      <div className="frame">
        {file && <Thumbnail media={file} meanwhile={preview} />}
        {file === null && (
          <span className="stand-in">
            <Icon name="warning" />
          </span>
        )}
        {describes && isDescribed && (
          <span className="alt-sign" aria-hidden="true">
            <Icon name="check" /> ALT
          </span>
        )}
      </div>
      <div className="beside">
        <p className="name">{name}</p>
        {file && !isThere && file.status !== "failed" && <p className="facts">{words.fetching}</p>}
        {describes &&
          (isDescribed ? (
            <span className="chip good">
              <Icon name="check" />
              {words.described}
            </span>
          ) : (
            <button type="button" className="link strong" onClick={onDescribe}>
              {words.describe}
              <span className="unseen"> {name}</span>
            </button>
          ))}
        <div className="tools">
          {isThere && isCuttable(file) && (
            <Button square look="quiet" aria-label={words.crop.open(name)} onPress={() => onCrop(file)}>
              <Icon name="crop" />
            </Button>
          )}
          {describes && (
            <Button square look="quiet" aria-label={words.alt.open(name)} onPress={onDescribe}>
              <Icon name="pencil" />
            </Button>
          )}
          <MenuTrigger>
            <AriaButton className="button quiet square more-button" aria-label={words.actions(name)}>
              <Icon name="more" />
            </AriaButton>
            <Popover className="popover" placement="bottom end">
              <Menu className="menu" aria-label={words.actions(name)}>
                {describes && (
                  <MenuItem className="entry" onAction={onDescribe}>
                    <Icon name="pencil" />
                    {words.alt.menu}
                  </MenuItem>
                )}
                {isThere && isCuttable(file) && (
                  <MenuItem className="entry" onAction={() => onCrop(file)}>
                    <Icon name="crop" />
                    {words.crop.menu}
                  </MenuItem>
                )}
                {frame.index > 0 && (
                  <MenuItem className="entry" onAction={() => frame.onMove(frame.place, frame.index - 1)}>
                    <Icon name="left" />
                    {words.earlier}
                  </MenuItem>
                )}
                {frame.index < frame.count - 1 && (
                  <MenuItem className="entry" onAction={() => frame.onMove(frame.place, frame.index + 1)}>
                    <Icon name="right" />
                    {words.later}
                  </MenuItem>
                )}
                <MenuItem className="entry" onAction={() => onRemove(name)}>
                  <Icon name="cross" />
                  {words.remove}
                </MenuItem>
              </Menu>
            </Popover>
          </MenuTrigger>
        </div>
      </div>
      {trouble.length > 0 && (
        <ul className="trouble">
          {trouble.map((sentence) => (
            <li key={sentence}>
              <Icon name="warning" />
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </Tile>
  )
}
