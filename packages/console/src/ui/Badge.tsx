import type { ReactNode } from "react"

/** How many things need a person. */
export const Badge = ({ children }: { readonly children: ReactNode }) => (
  <span className="rounded-control bg-bad-tint px-2 text-xs font-semibold text-bad tabular-nums">
    {children}
  </span>
)
