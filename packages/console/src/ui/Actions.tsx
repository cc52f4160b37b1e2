import type { ReactNode, Ref } from "react"

interface Props {
  readonly ref?: Ref<HTMLDivElement>
  readonly children: ReactNode
}

/** Buttons in a line; on a phone they share its width. */
export const Actions = ({ children, ref }: Props) => (
  <div
    ref={ref}
    className="flex flex-wrap gap-2 max-sm:*:data-square:w-touch max-sm:*:not-data-square:flex-1"
  >
    {children}
  </div>
)
