import type { ReactNode, Ref } from "react"
import { PageName } from "./PageName.tsx"

interface Props {
  readonly ref?: Ref<HTMLDivElement>
  /** Where the room has another name than its page. */
  readonly title?: ReactNode
  /** Before the name, such as a way back. */
  readonly before?: ReactNode
  /** At the end of the line of the name; on a phone below it. */
  readonly beside?: ReactNode
  readonly children: ReactNode
}

/** A room that scrolls as a whole, under its name. */
export const Room = ({ before, beside, children, ref, title }: Props) => (
  <div
    ref={ref}
    className="-mx-room flex min-h-0 flex-1 flex-col overflow-y-auto px-room pb-6 max-sm:mx-0 max-sm:px-0 max-sm:pb-4 max-sm:control:min-h-touch"
  >
    <div className="flex flex-wrap items-center gap-2 py-4 max-sm:px-4">
      {before}
      <h1 className="flex min-w-0 flex-1 basis-48 items-center gap-2">{title ?? <PageName />}</h1>
      {beside !== undefined && <div className="max-sm:w-full">{beside}</div>}
    </div>
    {children}
  </div>
)
