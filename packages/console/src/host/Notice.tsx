import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"

/** What came of what a person did. */
export interface Said {
  readonly text: string
  readonly bad?: boolean
  /** What can be done about it. */
  readonly label?: string
  readonly act?: () => void
}

export const Notice = ({ said }: { readonly said: Said | undefined }) => (
  <div className="notice" role="status" data-bad={said?.bad}>
    {said !== undefined && (
      <>
        <Icon name={said.bad === true ? "warning" : "check"} />
        <span>{said.text}</span>
        {said.act && <Button onPress={said.act}>{said.label}</Button>}
      </>
    )}
  </div>
)
