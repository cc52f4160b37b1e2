import type { Media } from "@carillon/sdk"
import { frameOf, gridOf } from "./layout.ts"
import { onPicture } from "../media/onPicture.ts"
import { type Cover, Shot } from "./Shot.tsx"

/** The files of a post beside each other. */
export const Grid = ({
  cover,
  slides
}: {
  readonly slides: ReadonlyArray<Media | undefined>
  readonly cover: Cover | undefined
}) => {
  const [first] = slides
  const single = { least: 1 / 2, most: 3, usual: first?.kind === "video" ? 16 / 9 : 4 / 3 }
  const { ratio } =
    slides.length === 1
      ? frameOf({ width: first?.width ?? null, height: first?.height ?? null }, single)
      : { ratio: slides.length === 4 ? 3 / 2 : 2 }
  const cells = gridOf(slides.length)
  return (
    <div
      className="grid grid-cols-2 grid-rows-2 gap-px overflow-hidden rounded-card border border-line"
      style={{ aspectRatio: ratio }}
    >
      {cells.map(({ columns, rows }, index) => (
        <span
          key={slides[index]?.id ?? index}
          className="relative min-h-0 min-w-0 overflow-hidden *:first:absolute *:first:inset-0"
          style={{ gridColumn: `span ${columns}`, gridRow: `span ${rows}` }}
        >
          <Shot item={slides[index]} cover={index === 0 ? cover : undefined} />
          {index === cells.length - 1 && slides.length > cells.length && (
            <span className={`${onPicture} end-2 bottom-2`}>+{slides.length - cells.length}</span>
          )}
        </span>
      ))}
    </div>
  )
}
