import { CarillonError } from "@carillon/sdk"
import { type ReactNode, useState } from "react"
import { carillon } from "./api.ts"
import { OwnName } from "./OwnName.tsx"
import { confirmWithPasskey, hasPasskeys } from "./passkeys.ts"
import { reasonOf } from "./reasonOf.ts"
import { useSecondFactor } from "./secondFactor.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/TextField.tsx"

const words = {
  title: "Confirm your password",
  text: "Enter your password to continue. You will not be asked again for the next few minutes.",
  label: "Password",
  missing: "Enter your password.",
  go: "Continue",
  passkey: "Use a passkey",
  notConfirmed: "The browser gave no passkey. Try again, or enter your password.",
  cancel: "Cancel"
}

const wantsPassword = (error: unknown) => error instanceof CarillonError && error.code === "confirm_password"

interface Asking {
  readonly answer: (given: boolean) => void
}

/**
 * Makes a call that may want the password: `withPassword(call)` asks for it when the service does, and then calls again. Undefined: the
 * person gave none. `dialog` has to be in the page.
 */
export const useConfirmPassword = (): {
  readonly withPassword: <A>(call: () => Promise<A>) => Promise<A | undefined>
  readonly dialog: ReactNode
} => {
  const [asking, setAsking] = useState<Asking>()
  const withPassword = async <A,>(call: () => Promise<A>): Promise<A | undefined> => {
    try {
      return await call()
    } catch (error) {
      if (!wantsPassword(error)) throw error
      const given = await new Promise<boolean>((answer) => setAsking({ answer }))
      setAsking(undefined)
      return given ? await call() : undefined
    }
  }
  return { withPassword, dialog: asking && <ConfirmPassword onAnswer={asking.answer} /> }
}

const ConfirmPassword = ({ onAnswer }: { readonly onAnswer: (given: boolean) => void }) => {
  const [password, setPassword] = useState("")
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const { data } = useSecondFactor()
  const byPasskey = hasPasskeys && data?.passkeys.some(({ works_here }) => works_here)
  const confirm = async (how: () => Promise<unknown>, otherwise?: string) => {
    setPending(true)
    try {
      await how()
      onAnswer(true)
    } catch (error) {
      setPending(false)
      setProblem(otherwise ?? reasonOf(error))
    }
  }
  const send = () =>
    password === "" ? setProblem(words.missing) : void confirm(() => carillon.session.confirm(password))
  return (
    <Dialog title={words.title} onClose={() => onAnswer(false)}>
      <form
        className="flex flex-col gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <p>{words.text}</p>
        <OwnName />
        <TextField
          label={words.label}
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(typed) => {
            setPassword(typed)
            setProblem(undefined)
          }}
          problem={problem}
        />
        <div className="actions">
          <Button onPress={() => onAnswer(false)}>{words.cancel}</Button>
          {byPasskey && (
            <Button isDisabled={pending} onPress={() => void confirm(confirmWithPasskey, words.notConfirmed)}>
              {words.passkey}
            </Button>
          )}
          <Button look="main" type="submit" isPending={pending}>
            {words.go}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
