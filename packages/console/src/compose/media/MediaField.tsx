import type { Media } from "@carillon/sdk"
import {
  type KeyboardEvent,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState
} from "react"
import { flushSync } from "react-dom"
import type { Account } from "../../data/accounts.ts"
import { FileDrop } from "../../media/FileDrop.tsx"
import { cancelUpload, upload, useUploads } from "../../media/useUploads.ts"
import { useFileChooser } from "../../media/useFileChooser.tsx"
import { useMedia } from "../../data/media.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { later } from "../../ui/later.ts"
import { TextButton } from "../../ui/TextButton.tsx"
import { toast } from "../../ui/toast.ts"
import { fieldNames } from "../fieldOf.ts"
import { useFocusFields } from "../focusFields.ts"
import { words } from "./en.ts"
import { filled, idsOf, keysOf, movedTo, type Places, withIds, withMore, without } from "./places.ts"

const tiles = () => import("./FileTile.tsx")
const FileTile = later(tiles, "FileTile")
const UploadTile = later(tiles, "UploadTile")
const AddressDialog = later(() => import("../../media/AddressDialog.tsx"), "AddressDialog")
const AltTextDialog = later(() => import("./AltTextDialog.tsx"), "AltTextDialog")
const LibraryPicker = later(() => import("../../media/LibraryPicker.tsx"), "LibraryPicker")
const CropDialog = later(() => import("../../media/CropDialog.tsx"), "CropDialog")

interface Props {
  readonly label: string
  /** Its name as a field of the page; the names of its files begin with it. */
  readonly name: string
  readonly media: ReadonlyArray<string>
  /** Whether files dropped on the page are its own: each level may have a field. */
  readonly takesDrops: boolean
  readonly onChange: (ids: ReadonlyArray<string>) => void
  readonly problems: ReadonlyArray<{ readonly id: string; readonly sentence: string }>
  /** The selected accounts, whose networks give the ratios for cropping. */
  readonly accounts: ReadonlyArray<Account>
  /** How many files are still uploading: a post sent now goes out without them. */
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

const adds = [
  "flex w-file flex-col items-center justify-center gap-1 rounded-card border border-dashed border-edge p-2",
  "max-sm:w-auto"
].join(" ")

/** The files of a post, in their order. */
export const MediaField = ({
  accounts,
  label,
  media,
  name: field,
  onChange,
  onUploading,
  problems,
  takesDrops
}: Props) => {
  const [places, setPlaces] = useState<Places>(media)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [carried, setCarried] = useState<Carried | null>(null)
  const [said, setSaid] = useState("")
  const fields = useFocusFields()
  // Loaded early, so that they are there without a connection.
  useEffect(() => FileTile.preload(), [])
  const uploads = useUploads()
  const items = useMedia(media)

  const shown = carried === null ? withIds(places, media) : places

  const put = (next: Places) => {
    setPlaces(next)
    const ids = idsOf(next)
    if (ids.join() !== media.join()) onChange(ids)
  }

  // A finished upload takes the place that was kept for it.
  const arrived = uploads.filter(({ key, media: file }) => file !== null && shown.includes(key))
  const settle = useEffectEvent(() => {
    let next = shown
    for (const { key, media: file } of arrived) next = filled(next, key, file!.id)
    put(next)
  })
  const arrivals = arrived.map(({ key }) => key).join()
  useEffect(() => {
    // After this render: the form outside changes too.
    if (arrivals !== "") queueMicrotask(settle)
  }, [arrivals])

  const onTheirWay = keysOf(shown).filter((key) => uploads.some((one) => one.key === key))
  const tell = useEffectEvent(onUploading)
  useEffect(() => {
    tell(onTheirWay.length)
    return () => tell(0)
  }, [onTheirWay.length])

  const add = (files: Iterable<File>) => put(withMore(shown, upload(files)))
  const chooser = useFileChooser(words.addFiles, add)

  // Undo applies to the files as they are by then.
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
    fields.focus(field)
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
      // An element that moves in the page loses the focus.
      flushSync(() => setPlaces(movedTo(shown, place, next)))
      fields.focus(fieldNames.file(field, place))
      setSaid(words.carry.over(next + 1, shown.length))
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      drop()
    } else if (event.key === "Escape") {
      event.preventDefault()
      event.stopPropagation()
      flushSync(() => {
        setPlaces(carried.before)
        setCarried(null)
      })
      fields.focus(fieldNames.file(field, place))
      setSaid(words.carry.left)
    }
  }

  const drop = () => {
    if (carried === null) return
    setCarried(null)
    put(places)
    setSaid(words.carry.put(nameOf(carried.place), places.indexOf(carried.place) + 1))
  }

  const describable = idsOf(shown).filter((id) => {
    const item = items.get(id)
    return item !== undefined && item.status === "ready" && item.kind !== "document"
  })
  const undescribed = describable.filter((id) => (items.get(id)!.alt_text ?? "") === "")

  return (
    <div className="flex flex-col items-start gap-2" data-media-field>
      {takesDrops && <FileDrop onFiles={add} />}
      <ul className="flex w-full flex-wrap gap-3 max-sm:grid max-sm:grid-cols-3" aria-label={label}>
        <Suspense>
          {shown.map((place, index) => {
            const frame = {
              field,
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
              <UploadTile
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
        </Suspense>
        <li className={shown.length === 0 ? `${adds} max-sm:col-span-full` : `${adds} h-file max-sm:h-auto`}>
          <TextButton data-add ref={fields.register(field)} onClick={chooser.open}>
            {words.addFiles}
          </TextButton>
          <p className="flex flex-wrap justify-center gap-x-2">
            <TextButton aria-label={words.from.library} onClick={() => setAsked({ dialog: "library" })}>
              {words.library}
            </TextButton>
            <TextButton aria-label={words.from.address} onClick={() => setAsked({ dialog: "address" })}>
              {words.link}
            </TextButton>
          </p>
          {takesDrops && <p className="text-center text-xs text-soft max-md:hidden">{words.orDrop}</p>}
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
              // The cropped picture replaces the original, which stays in the library.
              const [key] = upload([file], asked.media.alt_text)
              put(shown.map((place) => (place === asked.media.id ? key! : place)))
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
