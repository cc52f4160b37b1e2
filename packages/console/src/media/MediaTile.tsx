import type { Media } from "@carillon/sdk"
import type { MouseEvent, ReactNode } from "react"
import { Captioned } from "./Captioned.tsx"
import { Thumbnail } from "./Thumbnail.tsx"
import type { TileProps } from "./useTileGrid.ts"

interface Props extends TileProps {
  readonly media: Media
  readonly meanwhile?: string | null | undefined
  readonly facts: ReactNode
  readonly chosen: boolean
  readonly "aria-current"?: true | undefined
  readonly "aria-pressed"?: boolean | undefined
  readonly onClick: (event: MouseEvent) => void
  /** What lies on its picture. */
  readonly children?: ReactNode
}

/** A file to press, in a grid. */
export const MediaTile = ({ children, chosen, facts, meanwhile, media, ...props }: Props) => (
  <li className="group/tile relative min-w-0">
    <button
      {...props}
      type="button"
      className="group block w-full cursor-pointer rounded-card border-0 bg-transparent p-0 text-start"
      data-file={media.id}
      data-chosen={chosen || undefined}
    >
      <Captioned name={media.name} facts={facts}>
        <Thumbnail media={media} meanwhile={meanwhile} />
      </Captioned>
    </button>
    {children}
  </li>
)
