import type { ReactNode } from "react"

interface Props {
  readonly title: string
  readonly text?: ReactNode
  /** One button or link. */
  readonly children?: ReactNode
}

/** What stands in the place of a page's content. */
export const insteadOfContent = "flex min-h-list flex-col items-center justify-center gap-2 p-6 text-center"

/** A page without content: one sentence, one way on. */
export const EmptyState = ({ children, text, title }: Props) => (
  <div className={insteadOfContent}>
    <h2 className="text-base">{title}</h2>
    {text !== undefined && <p className="max-w-form text-sm text-soft">{text}</p>}
    {children !== undefined && <div className="mt-2 flex gap-2">{children}</div>}
  </div>
)
