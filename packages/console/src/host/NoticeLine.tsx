import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"

/** Tells a person the outcome of an act. */
export interface Notice {
  readonly text: string
  readonly bad?: boolean
  /** A button that does something about it. */
  readonly label?: string
  readonly act?: () => void
}

const line = "flex flex-wrap items-center gap-2 text-sm text-good not-empty:pt-2 data-bad:text-bad"

export const NoticeLine = ({ notice }: { readonly notice: Notice | undefined }) => (
  <div className={line} role="status" data-bad={notice?.bad}>
    {notice !== undefined && (
      <>
        <Icon name={notice.bad === true ? "warning" : "check"} />
        <span className="min-w-0 flex-1 text-ink">{notice.text}</span>
        {notice.act && <Button onPress={notice.act}>{notice.label}</Button>}
      </>
    )}
  </div>
)
