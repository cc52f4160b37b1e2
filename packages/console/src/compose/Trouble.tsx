import type { ReactNode } from "react"
import { Icon } from "../ui/Icon.tsx"

/** What is wrong, below the field in which it is mended. */
export const Trouble = ({ children }: { readonly children: ReactNode }) => (
  <p className="flex gap-2 py-1 text-sm text-bad">
    <span className="pt-1">
      <Icon name="warning" />
    </span>
    <span>{children}</span>
  </p>
)
