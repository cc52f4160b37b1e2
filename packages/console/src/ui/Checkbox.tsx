import type { ComponentProps } from "react"

/** A box to tick, within the label that says what for. */
export const Checkbox = (props: Omit<ComponentProps<"input">, "className" | "type">) => (
  <input {...props} type="checkbox" className="m-0 size-4 min-h-0 flex-none accent-brand" />
)
