import type { Media, PlatformId } from "@carillon/sdk"
import { type CSSProperties, type PointerEvent, useRef, useState } from "react"
import { namedRatios, type RatioName } from "./mediaFacts.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { platformName } from "@carillon/domain/PlatformFacts"
import { Segments } from "../ui/Segments.tsx"
import { type CropBox, type Corner, cutName, largest, moved, rounded, scaled, stretched } from "./cropBox.ts"
import { words } from "./en.ts"
import { ratioChoices } from "./ratioChoices.ts"

interface Props {
  readonly media: Pick<Media, "id" | "name" | "url" | "mime_type">
  /** The networks that the picture is for. */
  readonly platforms: ReadonlyArray<PlatformId>
  readonly onCut: (file: File) => void
  readonly onClose: () => void
}

const corners: Readonly<Record<Corner, string>> = {
  "top-left": "top-0 left-0 items-start justify-start cursor-nwse-resize",
  "top-right": "top-0 right-0 items-start justify-end cursor-nesw-resize",
  "bottom-left": "bottom-0 left-0 items-end justify-start cursor-nesw-resize",
  "bottom-right": "bottom-0 right-0 items-end justify-end cursor-nwse-resize"
}

const corner = [
  "absolute flex size-8 touch-none max-sm:size-touch",
  "before:size-3 before:rounded-full before:border-2 before:border-brand before:bg-on-veil"
].join(" ")

const boxed = "absolute cursor-move touch-none border-2 border-on-veil shadow-outside -outline-offset-2"

const free = "free"

/** A tenth of the picture with Shift, else a hundredth. */
const stepOf = (side: number, shift: boolean) => Math.max(1, side / (shift ? 10 : 100))

const sizeStep = 1.05

/** The part of the picture as a file of its own. */
const cutOut = async (image: HTMLImageElement, box: CropBox, type: string): Promise<Blob> => {
  const canvas = document.createElement("canvas")
  canvas.width = box.width
  canvas.height = box.height
  canvas.getContext("2d")!.drawImage(image, box.x, box.y, box.width, box.height, 0, 0, box.width, box.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no room")) : resolve(blob)), type, 0.92)
  })
}

const Networks = ({
  label,
  platforms
}: {
  readonly label: string
  readonly platforms: ReadonlyArray<PlatformId> | undefined
}) =>
  platforms !== undefined &&
  platforms.length > 0 && (
    <>
      {label}
      {platforms.map((platform) => (
        <span key={platform} className="inline-flex items-center gap-1 text-ink">
          <Glyph platform={platform} /> {platformName(platform)}
        </span>
      ))}
    </>
  )

/** Cuts a part out of a picture, in a ratio that its networks take. The result is a new file. */
export const CropDialog = ({ media, onClose, onCut, platforms }: Props) => {
  const choices = ratioChoices(platforms)
  const image = useRef<HTMLImageElement>(null)
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null)
  const [box, setBox] = useState<CropBox | null>(null)
  const [chosen, setChosen] = useState<RatioName | typeof free>(choices[0]!.name)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const ratio = chosen === free ? null : namedRatios[chosen]
  const choice = choices.find(({ name }) => name === chosen)
  const whole = size === null || box === null ? null : rounded(box, size, ratio)

  const pixel = (event: PointerEvent) => {
    const shown = image.current!.getBoundingClientRect()
    const scale = size!.width / shown.width
    return { x: (event.clientX - shown.left) * scale, y: (event.clientY - shown.top) * scale }
  }

  /** Follows the pointer until it is released. */
  const follow = (
    event: PointerEvent<HTMLElement>,
    along: (to: { readonly x: number; readonly y: number }) => CropBox
  ) => {
    event.preventDefault()
    event.stopPropagation()
    const target = event.currentTarget
    target.setPointerCapture(event.pointerId)
    const move = (next: globalThis.PointerEvent) => setBox(along(pixel(next as unknown as PointerEvent)))
    const end = () => {
      target.removeEventListener("pointermove", move)
      target.removeEventListener("pointerup", end)
      target.removeEventListener("pointercancel", end)
    }
    target.addEventListener("pointermove", move)
    target.addEventListener("pointerup", end)
    target.addEventListener("pointercancel", end)
  }

  const keep = async () => {
    if (busy) return
    setBusy(true)
    try {
      const png = media.mime_type === "image/png"
      const blob = await cutOut(image.current!, whole!, png ? "image/png" : "image/jpeg")
      const name = cutName(media.name, chosen === free ? words.crop.cut : chosen, png ? "png" : "jpg")
      onCut(new File([blob], name, { type: blob.type }))
    } catch {
      setProblem(words.crop.failed)
      setBusy(false)
    }
  }

  const change = (to: (box: CropBox) => CropBox) => setBox((now) => (now === null ? now : to(now)))
  const percent = (value: number, of: number) => `${(value / of) * 100}%`

  return (
    <Dialog wide title={words.crop.title} onClose={onClose}>
      <div className="overflow-x-auto scrollbar-none max-sm:control:min-h-touch">
        <Segments
          label={words.crop.ratio}
          options={[...choices.map(({ name }) => ({ id: name, name })), { id: free, name: words.crop.free }]}
          chosen={chosen}
          onChoose={(next) => {
            setChosen(next)
            if (size !== null) setBox(largest(size, next === free ? null : namedRatios[next]))
          }}
        />
      </div>
      <p className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
        <Networks label={words.crop.fits} platforms={choice?.takenBy} />
        <Networks label={words.crop.notFor} platforms={choice?.notBy} />
      </p>
      <div className="grid min-h-48 place-items-center rounded-control bg-sunk p-3">
        <div className="relative touch-none overflow-hidden select-none">
          <img
            ref={image}
            src={media.url ?? ""}
            alt=""
            draggable={false}
            className="block max-h-half max-w-full"
            onLoad={({ currentTarget: { naturalHeight: height, naturalWidth: width } }) => {
              setSize({ width, height })
              setBox(largest({ width, height }, ratio))
            }}
            onError={() => setProblem(words.crop.notShown)}
            onPointerDown={(event) => {
              if (size === null || box === null) return
              const to = pixel(event)
              setBox(moved(box, size, to.x - box.x - box.width / 2, to.y - box.y - box.height / 2))
            }}
          />
          {size !== null && box !== null && (
            // The part is moved and resized by keys as well, which no element does by itself.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <div
              className={boxed}
              role="group"
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              aria-label={words.crop.part}
              style={
                {
                  left: percent(box.x, size.width),
                  top: percent(box.y, size.height),
                  width: percent(box.width, size.width),
                  height: percent(box.height, size.height)
                } as CSSProperties
              }
              onPointerDown={(event) => {
                event.currentTarget.focus()
                const from = pixel(event)
                const before = box
                follow(event, (to) => moved(before, size, to.x - from.x, to.y - from.y))
              }}
              onKeyDown={(event) => {
                const across = stepOf(size.width, event.shiftKey)
                const down = stepOf(size.height, event.shiftKey)
                const acts: Readonly<Record<string, () => void>> = {
                  ArrowLeft: () => change((one) => moved(one, size, -across, 0)),
                  ArrowRight: () => change((one) => moved(one, size, across, 0)),
                  ArrowUp: () => change((one) => moved(one, size, 0, -down)),
                  ArrowDown: () => change((one) => moved(one, size, 0, down)),
                  "+": () => change((one) => scaled(one, size, sizeStep)),
                  "-": () => change((one) => scaled(one, size, 1 / sizeStep))
                }
                const act = acts[event.key === "=" ? "+" : event.key]
                if (act === undefined) return
                event.preventDefault()
                act()
              }}
            >
              {(Object.keys(corners) as Array<Corner>).map((one) => (
                <span
                  key={one}
                  className={`${corner} ${corners[one]}`}
                  onPointerDown={(event) => {
                    const before = box
                    follow(event, (to) => stretched(before, size, ratio, one, to))
                  }}
                />
              ))}
            </div>
          )}
        </div>
      </div>
      <div className="flex items-center justify-center gap-1 text-xs text-soft tabular-nums">
        <span role="status">{whole !== null && words.crop.size(whole.width, whole.height)}</span>
        <Button
          square
          look="quiet"
          aria-label={words.crop.smaller}
          onPress={() => size !== null && change((one) => scaled(one, size, 1 / sizeStep ** 2))}
        >
          <Icon name="minus" />
        </Button>
        <Button
          square
          look="quiet"
          aria-label={words.crop.larger}
          onPress={() => size !== null && change((one) => scaled(one, size, sizeStep ** 2))}
        >
          <Icon name="plus" />
        </Button>
      </div>
      {problem !== null && (
        <p className="text-sm text-bad" role="alert">
          {problem}
        </p>
      )}
      <div className="actions">
        <span className="me-auto self-center text-sm text-soft">{words.crop.stays}</span>
        <Button onPress={onClose}>{words.crop.cancel}</Button>
        <Button look="main" isDisabled={whole === null} onPress={() => void keep()}>
          {words.crop.keep}
        </Button>
      </div>
    </Dialog>
  )
}
