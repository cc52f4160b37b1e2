import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { carillon } from "../data/api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Select } from "../ui/Select.tsx"
import { toast } from "../ui/toast.ts"
import { words } from "./en.ts"
import { problemSentence } from "./problemSentence.ts"
import type { Default } from "../data/access.ts"
import { type Account, accountsChanged } from "../data/accounts.ts"
import { useOffered } from "./useOffered.ts"

interface Props {
  readonly account: Account
  readonly choice: Default
  readonly onClose: () => void
}

/** Chooses what posts that leave it open get from an account. Nothing is preselected. */
export const DefaultDialog = ({ account, choice, onClose }: Props) => {
  const { data: offered, error, refetch } = useOffered(account.id, choice, true)
  const [chosen, setChosen] = useState(choice.id ?? undefined)
  const said = words[choice.is]
  const save = useMutation({
    mutationFn: () => carillon.accounts.update(account.id, { [choice.field]: chosen ?? null }),
    onSuccess: () => {
      const named = offered?.find(({ id }) => id === chosen)
      toast({ icon: "check", text: named === undefined ? said.savedNone : said.saved(named.name) })
      void accountsChanged()
      onClose()
    }
  })
  const problem = () => {
    if (save.error !== null) return problemSentence(save.error)
    return error === null ? undefined : `${said.failed}. ${error.message}`
  }

  return (
    <Dialog title={said.title(words.ofAccount(account))} onClose={onClose}>
      <p>{said.text}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <Select
          label={said.label}
          options={offered ?? []}
          value={offered === undefined ? undefined : chosen}
          none={offered === undefined ? said.loading : said.none}
          onChange={(id) => {
            setChosen(id)
            save.reset()
          }}
          disabled={offered === undefined}
          problem={problem()}
        />
        <div className="actions">
          <Button onPress={onClose}>{said.cancel}</Button>
          {error !== null && offered === undefined ? (
            <Button look="main" onPress={() => void refetch()}>
              {said.retry}
            </Button>
          ) : (
            <Button look="main" type="submit" isDisabled={offered === undefined}>
              {said.save}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
