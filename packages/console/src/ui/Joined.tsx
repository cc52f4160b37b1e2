import type { ReactNode } from "react"

/** Buttons that are one control, such as a step back and a step on. */
export const Joined = ({ children }: { readonly children: ReactNode }) => (
  <div className="inline-flex *:not-first:-ms-px *:not-first:rounded-s-none *:not-last:rounded-e-none *:data-focus-visible:z-1">
    {children}
  </div>
)
