import { InvalidRequestError, type Passkey, type SecondFactor } from "@carillon/sdk"
import { useState } from "react"
import { carillon, signInAgain, workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { hasPasskeys, makePasskey } from "../data/passkeys.ts"
import { secondFactorChanged } from "../data/secondFactor.ts"
import { useAct } from "../data/useAct.ts"
import { useConfirmPassword } from "../data/useConfirmPassword.tsx"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Note } from "../ui/Note.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words as all } from "./en.ts"
import { RemoveButton } from "./RemoveButton.tsx"

const words = all.passkeys

const Row = ({ now, passkey }: { readonly now: number; readonly passkey: Passkey }) => {
  const { created_at, id, last_used_at, name, works_here } = passkey
  const { act, busy } = useAct()
  const { dialog, withPassword } = useConfirmPassword()
  const moment = (at: string) => formatMoment(at, now, workspace.timezone)
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <div className="flex min-w-0 flex-1 flex-col text-sm text-soft">
        <strong className="text-base font-semibold break-words text-ink">{name}</strong>
        <span>
          {[
            words.added(moment(created_at)),
            last_used_at === null ? words.unused : words.used(moment(last_used_at)),
            ...(works_here ? [] : [words.elsewhere])
          ].join(" · ")}
        </span>
      </div>
      <RemoveButton
        label={words.remove.open(name)}
        title={words.remove.title(name)}
        text={words.remove.text}
        go={words.remove.go}
        isPending={busy !== null}
        onGo={() =>
          void act(id, {
            do: () => withPassword(() => carillon.secondFactor.deletePasskey(id)),
            failed: words.remove.failed,
            changed: secondFactorChanged
          })
        }
      />
      {dialog}
    </li>
  )
}

const Add = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const { dialog, withPassword } = useConfirmPassword()
  const add = async () => {
    if (name.trim() === "") return setProblem(words.nameMissing)
    setPending(true)
    try {
      const credential = await makePasskey()
      if (await withPassword(() => carillon.secondFactor.addPasskey({ name: name.trim(), credential }))) {
        void secondFactorChanged()
        return onClose()
      }
    } catch (error) {
      if (!signInAgain(error))
        setProblem(error instanceof InvalidRequestError ? error.errors[0]!.message : words.notMade)
    }
    setPending(false)
  }
  return (
    <Dialog title={words.add} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <TextField
          label={words.name}
          help={words.nameHelp}
          autoFocus
          value={name}
          onChange={(typed) => {
            setName(typed)
            setProblem(undefined)
          }}
          problem={problem}
        />
        <div className="actions">
          <Button onPress={onClose}>{all.cancel}</Button>
          <Button look="main" type="submit" isPending={isPending}>
            {words.go}
          </Button>
        </div>
      </form>
      {dialog}
    </Dialog>
  )
}

/** Devices that sign in by themselves. */
export const Passkeys = ({ passkeys, passkeys_unavailable }: SecondFactor) => {
  const now = useNow(false)
  const [isAdding, setAdding] = useState(false)
  const reason = passkeys_unavailable ?? (hasPasskeys ? undefined : words.unavailable(boot.public_url))
  return (
    <Card title={words.title}>
      <Note>{words.text}</Note>
      {passkeys.length > 0 && (
        <ul className="divide-y divide-hair border-t border-hair">
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} now={now} />
          ))}
        </ul>
      )}
      <div className="border-t border-hair p-4">
        {reason === undefined ? (
          <Actions>
            <Button onPress={() => setAdding(true)}>{words.add}</Button>
          </Actions>
        ) : (
          <p className="text-sm text-soft">{reason}</p>
        )}
      </div>
      {isAdding && <Add onClose={() => setAdding(false)} />}
    </Card>
  )
}
