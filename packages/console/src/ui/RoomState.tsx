import { CarillonError } from "@carillon/sdk"
import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { words } from "./en.ts"
import { Icon } from "./Icon.tsx"

interface Props {
  readonly title: string
  readonly text?: ReactNode
  /** One button or link. */
  readonly children?: ReactNode
}

/** What a room shows that has nothing to show: one sentence, one way on. */
export const EmptyState = ({ children, text, title }: Props) => (
  <div className="room-state">
    <h2>{title}</h2>
    {text !== undefined && <p>{text}</p>}
    {children !== undefined && <div className="actions">{children}</div>}
  </div>
)

/** What a room shows that could not be read. */
export const ErrorState = ({
  error,
  onRetry,
  title
}: {
  readonly title: string
  readonly error: Error
  readonly onRetry: () => void
}) => (
  <div className="room-state">
    <span className="sign">
      <Icon name="warning" />
    </span>
    <h2>{title}</h2>
    <p>{error.message}</p>
    <div className="actions">
      <Button look="main" onPress={onRetry}>
        <Icon name="refresh" />
        {words.again}
      </Button>
    </div>
    {error instanceof CarillonError && error.requestId !== null && <p>{words.request(error.requestId)}</p>}
  </div>
)

/** Grey rows in the place of what is still being read. They show after a moment. */
export const Skeleton = ({ rows = 6, height = 56 }: { readonly rows?: number; readonly height?: number }) => (
  <div className="skeleton" aria-busy="true">
    <span className="unseen">{words.loading}</span>
    {Array.from({ length: rows }, (_, index) => (
      <span key={index} className="row" style={{ blockSize: height }} />
    ))}
  </div>
)
