import type { ComponentProps } from "react"

/** A box to tick, and what that says. */
export const Tick = ({ children, ...box }: Omit<ComponentProps<"input">, "className" | "type">) => (
  <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm font-normal max-md:min-h-touch">
    <input {...box} type="checkbox" className="m-0 size-4 min-h-0 flex-none accent-brand" />
    {children}
  </label>
)
