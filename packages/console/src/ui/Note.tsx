import type { ReactNode } from "react"

/** A small remark inside a card or under it. */
export const Note = ({ children }: { readonly children: ReactNode }) => (
  <p className="px-4 pb-3 text-sm text-soft">{children}</p>
)
