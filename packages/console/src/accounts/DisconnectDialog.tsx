import { carillon } from "../data/api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { sentenceOf } from "./sentenceOf.ts"
import { type Account, accountsChanged } from "../data/accounts.ts"
import { useScheduledCount } from "../data/posts.ts"

interface Props {
  readonly account: Account
  readonly onClose: () => void
}

/** Says what would fail, and asks. */
export const DisconnectDialog = ({ account, onClose }: Props) => {
  const { data: count, error } = useScheduledCount(account.id)
  const said =
    account.demo === "replaced"
      ? {
          ...words.disconnecting,
          title: words.demo.removing,
          text: words.demo.kept,
          confirm: words.demo.confirm,
          done: words.demo.removed
        }
      : words.disconnecting

  const disconnect = async () => {
    onClose()
    try {
      await carillon.accounts.disconnect(account.id)
      toast({ icon: "check", text: said.done(account.name) })
    } catch (failure) {
      toast({ icon: "cross", text: said.failed(sentenceOf(failure)) })
    }
    void accountsChanged()
  }

  const told = () => {
    if (error !== null && count === undefined) return <p className="notice bad">{said.unknown}</p>
    if (count === undefined) return <p className="notice">{said.counting}</p>
    if (count === 0) return <p className="notice">{said.none}</p>
    return (
      <p className="notice bad">
        <Icon name="warning" />
        {said.fail(count)}
      </p>
    )
  }

  return (
    <Dialog title={said.title(words.ofAccount(account))} alert onClose={onClose}>
      <div aria-live="polite">{told()}</div>
      <p>{said.text}</p>
      <div className="actions">
        <Button autoFocus onPress={onClose}>
          {said.keep}
        </Button>
        <Button
          look="danger"
          isDisabled={count === undefined && error === null}
          onPress={() => void disconnect()}
        >
          {said.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
