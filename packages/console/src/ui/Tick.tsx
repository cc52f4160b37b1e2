import type { ComponentProps } from "react"
import { Checkbox } from "./Checkbox.tsx"

/** A box to tick, and what that says. */
export const Tick = ({ children, ...box }: ComponentProps<typeof Checkbox>) => (
  <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm font-normal max-md:min-h-touch">
    <Checkbox {...box} />
    {children}
  </label>
)
