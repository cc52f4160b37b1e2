import type { Media } from "@carillon/sdk"
import { useState } from "react"
import { Icon } from "../ui/Icon.tsx"
import { next, nthOf, nthSpoken, previous } from "./en.ts"
import { type Cover, Shot } from "./Shot.tsx"

interface Props {
  readonly slides: ReadonlyArray<Media | undefined>
  readonly ratio: number
  readonly whole?: boolean
  readonly cover?: Cover | undefined
  /** The index of the shown picture. */
  readonly onShow?: (index: number) => void
}

/** Pictures side by side in one frame, to swipe through. */
export const Carousel = ({ cover, onShow, ratio, slides, whole = false }: Props) => {
  const [asked, setAsked] = useState(0)
  const at = Math.min(asked, slides.length - 1)
  const go = (index: number) => {
    setAsked(index)
    onShow?.(index)
  }
  return (
    <div className="carousel" style={{ aspectRatio: ratio }}>
      <Shot key={slides[at]?.id ?? at} item={slides[at]} cover={cover} whole={whole} />
      {slides.length > 1 && (
        <>
          <span className="count figures" aria-hidden="true">
            {nthOf(at, slides.length)}
          </span>
          <span className="unseen" aria-live="polite">
            {nthSpoken(at, slides.length)}
          </span>
          {at > 0 && (
            <button type="button" className="turn before" aria-label={previous} onClick={() => go(at - 1)}>
              <Icon name="left" />
            </button>
          )}
          {at < slides.length - 1 && (
            <button type="button" className="turn after" aria-label={next} onClick={() => go(at + 1)}>
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
    <span className="dots" aria-hidden="true">
      {Array.from({ length: Math.min(count, 10) }, (_, index) => (
        <i key={index} data-on={index === Math.min(at, 9) || undefined} />
      ))}
    </span>
  )
