import { useId, useRef, useState } from "react"
import { Button } from "./Button.tsx"
import { words } from "./en.ts"
import { Icon } from "./Icon.tsx"

interface Props {
  readonly label: string
  readonly value: string
}

/** An address to copy. It is selected if the browser forbids the clipboard. */
export const CopyField = ({ label, value }: Props) => {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState("")
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setSaid(words.copied)
    } catch {
      field.current?.focus()
      field.current?.select()
      setSaid(words.copyByHand)
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      <label className="unseen" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        ref={field}
        value={value}
        readOnly
        spellCheck={false}
        className="min-h-field min-w-0 flex-1 rounded-control border border-edge bg-sunk px-2 text-sm text-ellipsis"
        onFocus={({ target }) => target.select()}
      />
      <Button aria-label={`${words.copy}: ${label}`} onPress={() => void copy()}>
        <Icon name={said === words.copied ? "check" : "copy"} />
        {said === words.copied ? words.copied : words.copy}
      </Button>
      <p className={said === words.copyByHand ? "w-full text-xs text-soft" : "unseen"} role="status">
        {said}
      </p>
    </div>
  )
}
