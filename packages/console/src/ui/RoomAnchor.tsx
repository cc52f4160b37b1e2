import { useRouter, useSearch } from "@tanstack/react-router"
import type { ReactNode } from "react"

interface Props {
  /** From the console's own root: `/accounts?reconnect=3`. */
  readonly to: string
  readonly className: string
  readonly children: ReactNode
}

/** A link into another room, by its address. */
export const RoomAnchor = ({ children, className, to }: Props) => {
  const router = useRouter()
  const { w } = useSearch({ strict: false })
  const workspace = w === undefined ? "" : `${to.includes("?") ? "&" : "?"}w=${encodeURIComponent(w)}`
  // The workspace of a member of several stays in the address.
  const href = `${router.basepath}${to}${workspace}`
  return (
    <a
      className={className}
      href={href}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        router.history.push(href)
      }}
    >
      {children}
    </a>
  )
}
