import { CarillonError } from "@carillon/sdk"
import { Button } from "./Button.tsx"
import { insteadOfContent } from "./EmptyState.tsx"
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
  <div className={insteadOfContent}>
    <span className="grid size-touch place-items-center rounded-control bg-bad-tint text-bad">
      <Icon name="warning" />
    </span>
    <h2 className="text-base">{title}</h2>
    <p className="max-w-form text-sm text-soft">{error.message}</p>
    <div className="mt-2">
      <Button look="main" onPress={onRetry}>
        <Icon name="refresh" />
        {words.again}
      </Button>
    </div>
    {error instanceof CarillonError && error.requestId !== null && (
      <p className="text-xs text-soft">{words.request(error.requestId)}</p>
    )}
  </div>
)
