import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { words } from "./en.ts"

interface Props {
  readonly onRemove: () => void
  readonly onClose: () => void
}

export const RemoveDialog = ({ onClose, onRemove }: Props) => (
  <Dialog title={words.removing.title} alert onClose={onClose}>
    <p>{words.removing.text}</p>
    <div className="actions">
      <Button autoFocus onPress={onClose}>
        {words.removing.keep}
      </Button>
      <Button look="danger" onPress={onRemove}>
        {words.removing.confirm}
      </Button>
    </div>
  </Dialog>
)
