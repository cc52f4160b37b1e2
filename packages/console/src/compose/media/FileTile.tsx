import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import type { Media } from "@carillon/sdk"
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react"
import { Button as AriaButton } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { sizeWords } from "../../media/mediaFacts.ts"
import { isCuttable } from "../../media/isCuttable.ts"
import { onPicture } from "../../media/onPicture.ts"
import { StandIn, Thumbnail } from "../../media/Thumbnail.tsx"
import { percent, type Upload } from "../../media/uploadsReducer.ts"
import { uploadFacts, UploadPicture } from "../../media/UploadTile.tsx"
import { useMediaItem } from "../../data/media.ts"
import { Icon } from "../../ui/Icon.tsx"
import { fieldNames } from "../fieldOf.ts"
import { useFocusFields } from "../focusFields.ts"
import { Trouble } from "../Trouble.tsx"
import { words } from "./en.ts"

interface Frame {
  /** The name of the field that it is in. */
  readonly field: string
  readonly place: string
  readonly index: number
  readonly count: number
  readonly lifted: boolean
  readonly onCarry: (event: KeyboardEvent) => void
  readonly onLeave: () => void
  readonly onMove: (place: string, to: number) => void
}

const borders = { plain: "", wrong: "rounded-card outline-1 outline-bad" }

const tile = [
  "group relative flex w-file cursor-grab flex-col gap-1 text-xs max-sm:w-auto",
  "data-lifted:rotate-1 data-lifted:shadow-float"
].join(" ")

const frameOf = "relative aspect-square overflow-hidden rounded-card bg-sunk"

/** Where a dragged file would go. */
const gap = "absolute inset-y-0 w-1 rounded-tile bg-brand"

/** A tile that is dragged by its picture, and moved with the keyboard from its number. */
const Tile = ({
  children,
  frame: { count, field, index, lifted, onCarry, onLeave, onMove, place },
  kind,
  name
}: {
  readonly frame: Frame
  readonly name: string
  readonly kind: keyof typeof borders
  readonly children: ReactNode
}) => {
  const fields = useFocusFields()
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
      className={`${tile} ${borders[kind]}`}
      data-file-tile
      data-place={place}
      data-lifted={lifted || held || undefined}
    >
      <button
        type="button"
        className={`${onPicture} top-2 start-2 min-w-6 cursor-grab justify-center`}
        ref={fields.register(fieldNames.file(field, place))}
        data-anchor={`media:${place}`}
        aria-label={words.carry.handle(name, index + 1, count)}
        aria-pressed={lifted}
        onKeyDown={onCarry}
        // A click does not lift the tile: the pointer drags it.
        onBlur={({ relatedTarget }) => {
          if (lifted && relatedTarget !== null) onLeave()
        }}
      >
        {index + 1}
      </button>
      {children}
      {over !== null && <span className={`${gap} ${over === "before" ? "-start-2" : "-end-2"}`} />}
    </li>
  )
}

export const UploadTile = ({
  frame,
  onRemove,
  upload: way
}: {
  readonly frame: Frame
  readonly upload: Upload
  readonly onRemove: () => void
}) => (
  <Tile frame={frame} name={way.name} kind="plain">
    <div className={frameOf}>
      <UploadPicture upload={way} onRemove={onRemove} />
    </div>
    <p className="truncate" data-name>
      {way.name}
    </p>
    <p className={way.problem === null ? "text-soft tabular-nums" : "text-bad"} data-facts>
      {way.state === "sending" && way.sent < way.size
        ? words.percentOf(percent(way), sizeWords(way.size))
        : uploadFacts(way)}
    </p>
  </Tile>
)

export const FileTile = ({
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
  const trouble = [
    ...(file?.status === "failed" && file.error !== null ? [file.error.message] : []),
    ...problems
  ]
  return (
    <Tile frame={frame} name={name} kind={trouble.length > 0 || file === null ? "wrong" : "plain"}>
      <div className={frameOf}>
        {file && <Thumbnail media={file} meanwhile={preview} />}
        {file === null && <StandIn icon="warning" />}
        {isThere && file.kind !== "document" && (
          <button
            type="button"
            className={`${onPicture} bottom-2 start-2 cursor-pointer`}
            data-described={isDescribed}
            onClick={onDescribe}
          >
            {isDescribed && <Icon name="check" />}
            {isDescribed ? words.described : words.describe}
            <span className="unseen"> {name}</span>
          </button>
        )}
        <MenuTrigger>
          <AriaButton className={`${onPicture} top-2 end-2 cursor-pointer`} aria-label={words.actions(name)}>
            <Icon name="more" />
          </AriaButton>
          <Popover className="popover" placement="bottom end">
            <Menu className="menu" aria-label={words.actions(name)}>
              {isThere && isCuttable(file) && (
                <MenuItem className="entry" onAction={() => onCrop(file)}>
                  <Icon name="crop" />
                  {words.crop}
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
      <p className="truncate" data-name>
        {name}
      </p>
      {file && !isThere && file.status !== "failed" && <p className="text-soft">{words.fetching}</p>}
      {trouble.map((sentence) => (
        <Trouble key={sentence}>{sentence}</Trouble>
      ))}
    </Tile>
  )
}
