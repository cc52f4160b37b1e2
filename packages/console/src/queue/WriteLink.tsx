import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { workspace } from "../data/api.ts"
import { wallClock } from "../time/zone.ts"

interface Props {
  readonly at: Date
  readonly className: string
  /** For screen readers. */
  readonly name: string
  readonly children: ReactNode
}

/** Opens the composer for a time. */
export const WriteLink = ({ at, children, className, name }: Props) => {
  const { day, time } = wallClock(at, workspace.timezone)
  return (
    <Link to="/compose" search={{ at: `${day}T${time}` }} className={className} draggable={false}>
      {children}
      <span className="unseen">{name}</span>
    </Link>
  )
}
