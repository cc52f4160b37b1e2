import { type Account, accountsChanged } from "../data/accounts.ts"
import { carillon } from "../data/api.ts"
import { useScheduledCount } from "../data/posts.ts"
import { act } from "../data/useAct.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Remark } from "../ui/Remark.tsx"
import { words } from "./en.ts"

interface Props {
  readonly account: Account
  readonly onClose: () => void
}

/** Says which posts would fail, and asks. */
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

  const disconnect = () => {
    onClose()
    void act({
      do: () => carillon.accounts.disconnect(account.id),
      done: said.done(account.name),
      failed: said.failed,
      changed: accountsChanged
    })
  }

  const told = () => {
    if (count === undefined)
      return error === null ? (
        <Remark tone="plain" icon="clock">
          {said.counting}
        </Remark>
      ) : (
        <Remark tone="bad" icon="warning">
          {said.unknown}
        </Remark>
      )
    return (
      <Remark tone={count === 0 ? "plain" : "bad"} icon={count === 0 ? "check" : "warning"}>
        {count === 0 ? said.none : said.fail(count)}
      </Remark>
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
        <Button look="danger" isDisabled={count === undefined && error === null} onPress={disconnect}>
          {said.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
