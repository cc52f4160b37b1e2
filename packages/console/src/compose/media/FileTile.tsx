import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import type { Media } from "@carillon/sdk"
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react"
import { Button as AriaButton } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { sizeWords } from "../../media/mediaFacts.ts"
import { isCuttable } from "../../media/isCuttable.ts"
import { Thumbnail } from "../../media/Thumbnail.tsx"
import { percent, type Upload } from "../../media/uploadsReducer.ts"
import { Preview, Progress, UploadActions, uploadFacts } from "../../media/UploadTile.tsx"
import { useMediaItem } from "../../data/media.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { fieldNames } from "../fieldOf.ts"
import { useFocusFields } from "../focusFields.ts"
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

/** A tile that is dragged by its picture, and moved with the keyboard from its number. */
const Tile = ({
  children,
  frame: { count, field, index, lifted, onCarry, onLeave, onMove, place },
  kind,
  name
}: {
  readonly frame: Frame
  readonly name: string
  readonly kind: string
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
      className={`media-tile ${kind}`}
      data-place={place}
      data-lifted={lifted || held || undefined}
      data-over={over ?? undefined}
    >
      <button
        type="button"
        className="handle"
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
