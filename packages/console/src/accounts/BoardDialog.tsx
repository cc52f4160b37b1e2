import { useState } from "react"
import { carillon } from "../api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Select } from "../ui/Select.tsx"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { sentenceOf } from "./sentenceOf.ts"
import { type Account, refreshAccounts } from "./useAccounts.ts"
import { useBoards } from "./useBoards.ts"

interface Props {
  readonly account: Account
  readonly onClose: () => void
}

/** Where posts go that name no board. */
export const BoardDialog = ({ account, onClose }: Props) => {
  const { data: boards, error, refetch } = useBoards(account.id, true)
  const [chosen, setChosen] = useState(account.default_board_id ?? undefined)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const said = words.board

  const save = async () => {
    if (busy) return
    setBusy(true)
    try {
      await carillon.accounts.update(account.id, { default_board_id: chosen ?? null })
      const board = boards?.find(({ id }) => id === chosen)
      toast({ icon: "check", text: board === undefined ? said.savedNone : said.saved(board.name) })
      refreshAccounts()
      onClose()
    } catch (failure) {
      setProblem(sentenceOf(failure))
      setBusy(false)
    }
  }

  return (
    <Dialog title={said.title(words.ofAccount(account.name, account.platform))} onClose={onClose}>
      <p>{said.text}</p>
      <form
        className="credentials"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Select
          label={said.label}
          options={boards ?? []}
          value={boards === undefined ? undefined : chosen}
          none={boards === undefined ? said.loading : said.none}
          onChange={(id) => {
            setChosen(id)
            setProblem(undefined)
          }}
          disabled={boards === undefined}
          problem={problem ?? (error === null ? undefined : `${said.failed}. ${error.message}`)}
        />
        <div className="actions">
          <Button onPress={onClose}>{said.cancel}</Button>
          {error !== null && boards === undefined ? (
            <Button look="main" onPress={() => void refetch()}>
              {said.retry}
            </Button>
          ) : (
            <Button look="main" type="submit" isDisabled={boards === undefined}>
              {said.save}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
