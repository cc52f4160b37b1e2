import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

/** Asks before something that cannot be undone. The safe answer has the focus. */
export const ConfirmDialog = ({
  go,
  onGo,
  onStay,
  stay,
  text,
  title
}: Readonly<Record<"title" | "text" | "stay" | "go", string>> & {
  readonly onStay: () => void
  readonly onGo: () => void
}) => (
  <Dialog title={title} alert onClose={onStay}>
    <p>{text}</p>
    <div className="actions">
      <Button autoFocus onPress={onStay}>
        {stay}
      </Button>
      <Button look="danger" onPress={onGo}>
        {go}
      </Button>
    </div>
  </Dialog>
)
