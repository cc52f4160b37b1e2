import type { ReactNode } from "react"

interface Props {
  readonly side: ReactNode
  readonly children: ReactNode
}

const column = "flex min-w-0 flex-col gap-4"

/** What a room is about, and something beside it or, where there is no space, below. */
export const Columns = ({ children, side }: Props) => (
  <div className="grid items-start gap-4 lg:grid-cols-side">
    <div className={column}>{children}</div>
    <div className={column}>{side}</div>
  </div>
)
