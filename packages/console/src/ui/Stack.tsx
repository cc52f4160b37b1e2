import type { ReactNode } from "react"

/** What a card holds that is no list: one below the other, away from its edges. */
export const Stack = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-col gap-4 px-4 pb-4">{children}</div>
)
