import type { ReactNode, Ref } from "react"
import { PageName } from "./PageName.tsx"

interface Props {
  readonly ref?: Ref<HTMLDivElement>
  readonly children: ReactNode
}

/** A room that scrolls as a whole, under its name. */
export const Room = ({ children, ref }: Props) => (
  <div
    ref={ref}
    className="-mx-room flex min-h-0 flex-1 flex-col overflow-y-auto px-room pb-6 max-sm:mx-0 max-sm:px-0 max-sm:pb-4"
  >
    <h1 className="py-4 max-sm:px-4">
      <PageName />
    </h1>
    {children}
  </div>
)
