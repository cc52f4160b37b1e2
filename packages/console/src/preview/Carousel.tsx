import type { Media } from "@carillon/sdk"
import { useState } from "react"
import { Icon } from "../ui/Icon.tsx"
import { next, nthOf, nthSpoken, previous } from "./en.ts"
import { onPicture } from "../media/onPicture.ts"
import { type Cover, Shot } from "./Shot.tsx"

interface Props {
  readonly slides: ReadonlyArray<Media | undefined>
  readonly ratio: number
  readonly whole?: boolean
  readonly cover?: Cover | undefined
  /** The index of the shown picture. */
  readonly onShow?: ((index: number) => void) | undefined
}

const turn = [
  "absolute inset-y-0 my-auto grid size-8 cursor-pointer place-items-center rounded-full border-0",
  "bg-veil text-on-veil pointer-coarse:size-touch"
].join(" ")

/** Pictures side by side in one frame, to swipe through. */
export const Carousel = ({ cover, onShow, ratio, slides, whole = false }: Props) => {
  const [asked, setAsked] = useState(0)
  const at = Math.min(asked, slides.length - 1)
  const go = (index: number) => {
    setAsked(index)
    onShow?.(index)
  }
  return (
    <div className="relative w-full overflow-hidden bg-sunk" style={{ aspectRatio: ratio }}>
      <Shot key={slides[at]?.id ?? at} item={slides[at]} cover={cover} whole={whole} />
      {slides.length > 1 && (
        <>
          <span className={`${onPicture} end-2 top-2`} aria-hidden="true">
            {nthOf(at, slides.length)}
          </span>
          <span className="unseen" aria-live="polite">
            {nthSpoken(at, slides.length)}
          </span>
          {at > 0 && (
            <button
              type="button"
              className={`${turn} start-2`}
              aria-label={previous}
              onClick={() => go(at - 1)}
            >
              <Icon name="left" />
            </button>
          )}
          {at < slides.length - 1 && (
            <button type="button" className={`${turn} end-2`} aria-label={next} onClick={() => go(at + 1)}>
              <Icon name="right" />
            </button>
          )}
        </>
      )}
    </div>
  )
}

/** The place in a row of pictures. */
export const Dots = ({ at, count }: { readonly at: number; readonly count: number }) =>
  count < 2 ? null : (
    <span className="flex justify-center gap-1 pt-2" aria-hidden="true">
      {Array.from({ length: Math.min(count, 10) }, (_, index) => (
        <i
          key={index}
          className="size-1 rounded-full bg-edge data-on:bg-brand"
          data-on={index === Math.min(at, 9) || undefined}
        />
      ))}
    </span>
  )
