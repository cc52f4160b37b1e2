import type { ComponentProps } from "react"

/** A button in a line of text, which looks like a link. */
export const TextButton = (props: Omit<ComponentProps<"button">, "className" | "type">) => (
  <button
    {...props}
    type="button"
    className="cursor-pointer border-0 bg-transparent p-0 text-sm font-semibold text-brand underline underline-offset-4 max-md:min-h-touch"
  />
)
