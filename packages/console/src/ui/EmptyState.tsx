import type { ReactNode } from "react"

interface Props {
  readonly title: string
  readonly text?: ReactNode
  /** One button or link. */
  readonly children?: ReactNode
}

/** A page without content: one sentence, one way on. */
export const EmptyState = ({ children, text, title }: Props) => (
  <div className="room-state">
    <h2>{title}</h2>
    {text !== undefined && <p>{text}</p>}
    {children !== undefined && <div className="actions">{children}</div>}
  </div>
)
