import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { words } from "./en.ts"
import type { Outcome } from "./journey.ts"
import type { Accounts } from "../data/accounts.ts"

interface Props {
  readonly outcome: Exclude<Outcome, { readonly is: "connected" }>
  readonly accounts: Accounts
  readonly onAgain: () => void
  readonly onClose: () => void
}

/** Says how a failed journey to a network ended. */
export const ReturnDialog = ({ accounts, onAgain, onClose, outcome }: Props) => {
  if (outcome.is === "another") {
    const wanted = accounts.get(outcome.wanted)
    const got = outcome.accounts.map((id) => accounts.get(id)?.name ?? words.another.somebody).join(", ")
    return (
      <Dialog title={words.another.title} onClose={onClose}>
        <p>{words.another.text(wanted?.name ?? "", got)}</p>
        <div className="actions">
          <Button onPress={onClose}>{words.another.leave}</Button>
          <Button look="main" autoFocus onPress={onAgain}>
            {words.another.again}
          </Button>
        </div>
      </Dialog>
    )
  }
  const { error, journey, message } = outcome
  const sentence = words.failed.sentences[error]?.(journey.platform)
  return (
    <Dialog title={words.failed.title} onClose={onClose}>
      <p>{sentence ?? message ?? words.failed.other(journey.platform)}</p>
      <div className="actions">
        <Button onPress={onClose}>{words.failed.close}</Button>
        <Button look="main" autoFocus onPress={onAgain}>
          {words.failed.again}
        </Button>
      </div>
    </Dialog>
  )
}
