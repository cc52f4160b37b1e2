import type { ReactNode } from "react"

const frame = [
  "relative block aspect-4/3 overflow-hidden rounded-card border border-hair bg-sunk group-hover:border-edge",
  "outline-offset-2 outline-brand group-data-chosen:outline-3"
].join(" ")

interface Props {
  readonly name: string
  readonly facts: ReactNode
  /** What fills the frame. */
  readonly children?: ReactNode
}

/** A picture in its frame; below it a name, and a line of facts. */
export const Captioned = ({ children, facts, name }: Props) => (
  <>
    <span className={frame}>{children}</span>
    <span className="block truncate pt-2 text-sm">{name}</span>
    <span className="flex justify-between gap-2 text-xs text-soft tabular-nums">{facts}</span>
  </>
)
