import { CarillonError } from "@carillon/sdk"
import { Button } from "./Button.tsx"
import { words } from "./en.ts"
import { Icon } from "./Icon.tsx"

/** A page whose content did not load. */
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
