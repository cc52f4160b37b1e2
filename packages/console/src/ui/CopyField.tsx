import { useId, useRef, useState } from "react"
import { Button } from "./Button.tsx"
import { words } from "./en.ts"
import { Icon } from "./Icon.tsx"

interface Props {
  readonly label: string
  readonly value: string
  readonly lines?: number
}

/** Text to copy. It is selected if the browser forbids the clipboard. */
export const CopyField = ({ label, lines = 1, value }: Props) => {
  const id = useId()
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
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
  const common = {
    id,
    ref: field,
    value,
    readOnly: true,
    spellCheck: false,
    onFocus: () => field.current?.select()
  }
  return (
    <div className={lines === 1 ? "flex flex-wrap gap-2" : "flex flex-wrap items-start gap-2"}>
      <label className="unseen" htmlFor={id}>
        {label}
      </label>
      {lines === 1 ? (
        <input {...common} className={`${box} min-h-field text-ellipsis`} />
      ) : (
        <textarea
          {...common}
          rows={lines}
          className={`${box} resize-none overflow-x-auto py-2 whitespace-pre`}
        />
      )}
      <Button
        aria-label={`${said === words.copied ? words.copied : words.copy}: ${label}`}
        onPress={() => void copy()}
      >
        <Icon name={said === words.copied ? "check" : "copy"} />
        {said === words.copied ? words.copied : words.copy}
      </Button>
      <p className={said === words.copyByHand ? "w-full text-xs text-soft" : "unseen"} role="status">
        {said}
      </p>
    </div>
  )
}

const box = "min-w-0 flex-1 rounded-control border border-edge bg-sunk px-2 text-sm"
