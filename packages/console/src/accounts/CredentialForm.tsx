import type { ConnectAccount, Instance, PlatformId, SocialAccount } from "@carillon/sdk"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { carillon } from "../data/api.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { TextButton } from "../ui/TextButton.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words } from "./en.ts"
import { ProblemNotice } from "./ProblemNotice.tsx"
import type { Account } from "../data/accounts.ts"

type Form = NonNullable<Instance["connectable"][number]["form"]>
export type FormFields = Form["fields"]

interface Props {
  readonly platform: PlatformId
  readonly form: Form
  /** The account to reconnect. */
  readonly account: Account | null
  readonly onConnected: (account: SocialAccount) => void
  /** Stands before the main button. */
  readonly children: ReactNode
}

/** On a phone, a focused field would hide the dialog behind the keyboard. */
export const startsTouched = matchMedia("(pointer: coarse)").matches

/** Connects an account with typed credentials. */
export const CredentialForm = ({ account, children, form, onConnected, platform }: Props) => {
  const { fields, link, more } = form
  const named = fields.find(({ required, secret }) => required && !secret)?.name
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => ({
    ...Object.fromEntries(fields.map(({ name, value }) => [name, value ?? ""])),
    ...(account === null || named === undefined ? {} : { [named]: account.username })
  }))
  const [opened, setOpened] = useState(false)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => {
      const typed = fields
        .map(({ name, required }) => ({ name, required, value: values[name]?.trim() ?? "" }))
        .filter(({ required, value }) => required || value !== "")
      const credentials = Object.fromEntries(typed.map(({ name, value }) => [name, value]))
      return carillon.accounts.connect({ platform, credentials } as ConnectAccount)
    },
    onSuccess: onConnected
  })

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) mutate()
      }}
    >
      {fields
        .filter(({ required }) => required || opened)
        .map(({ help, label, name, required, secret }, index) => (
          <TextField
            key={name}
            label={label}
            help={help ?? undefined}
            name={name}
            value={values[name] ?? ""}
            onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
            type={secret ? "password" : "text"}
            autoComplete="off"
            required={required}
            autoFocus={!startsTouched && index === (account === null || named === undefined ? 0 : 1)}
          />
        ))}
      {link !== null && (
        <p className="flex text-sm">
          <a className="flex min-h-6 items-center gap-1" href={link.href} target="_blank" rel="noreferrer">
            {link.text}
            <Icon name="link" />
          </a>
        </p>
      )}
      {more !== null && !opened && (
        <p>
          <TextButton onClick={() => setOpened(true)}>{more}</TextButton>
        </p>
      )}
      <ProblemNotice error={error} />
      <div className="actions">
        {children}
        <Button look="main" type="submit">
          {isPending ? words.connecting.submitting : words.connecting.submit}
        </Button>
      </div>
    </form>
  )
}
