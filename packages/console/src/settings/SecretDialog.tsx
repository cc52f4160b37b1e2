import { Button } from "../ui/Button.tsx"
import { CopyField } from "../ui/CopyField.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { words } from "./en.ts"

interface Props {
  readonly title: string
  readonly label: string
  readonly secret: string
  readonly onClose: () => void
}

/** A secret, which is shown once. */
export const SecretDialog = ({ label, onClose, secret, title }: Props) => (
  <Dialog alert title={title} onClose={onClose}>
    <p>{words.once.text}</p>
    <CopyField label={label} value={secret} />
    <div className="actions">
      <Button look="main" onPress={onClose}>
        {words.once.done}
      </Button>
    </div>
  </Dialog>
)
