import { useId, useRef, useState } from "react"
import { Button } from "react-aria-components/Button"
import { Icon } from "../../ui/Icon.tsx"
import { Said } from "../../ui/TextField.tsx"
import { add, remove } from "./en.ts"

interface Props {
  readonly label: string
  readonly help: string | undefined
  readonly problem: string | undefined
  /** Names, or objects with a `username`, whose other fields are kept. */
  readonly value: ReadonlyArray<unknown>
  readonly longest: number | undefined
  readonly most: number | undefined
  readonly onChange: (value: ReadonlyArray<unknown>) => void
}

const nameOf = (token: unknown): string =>
  typeof token === "string"
    ? token
    : typeof token === "object" && token !== null && "username" in token
      ? String(token.username)
      : JSON.stringify(token)

/** Short texts, each added with Enter or a comma. */
export const Tokens = ({ help, label, longest, most = Infinity, onChange, problem, value }: Props) => {
  const id = useId()
  const [text, setText] = useState("")
  const input = useRef<HTMLInputElement>(null)

  const take = (written: string) => {
    const names = value.map(nameOf)
    const fresh = [...new Set(written.split(/[,\n]/).map((one) => one.trim()))].filter(
      (one) => one !== "" && !names.includes(one)
    )
    setText("")
    if (fresh.length > 0) onChange([...value, ...fresh].slice(0, most))
  }

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="tokens" data-invalid={problem === undefined ? undefined : true}>
        {value.length > 0 && (
          <ul aria-label={label}>
            {value.map((token, index) => (
              <li key={nameOf(token)} className="token">
                {nameOf(token)}
                <Button
                  aria-label={remove(nameOf(token))}
                  onPress={() => {
                    onChange(value.toSpliced(index, 1))
                    input.current?.focus()
                  }}
                >
                  <Icon name="cross" />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <input
          ref={input}
          id={id}
          value={text}
          placeholder={value.length === 0 ? undefined : add}
          maxLength={longest}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={`${id}-said`}
          onChange={({ target }) => (/[,\n]/.test(target.value) ? take(target.value) : setText(target.value))}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.nativeEvent.isComposing && text.trim() !== "") {
              // Enter must not submit the form around it.
              event.preventDefault()
              take(text)
            } else if (event.key === "Backspace" && text === "") onChange(value.slice(0, -1))
          }}
          onBlur={() => take(text)}
        />
      </div>
      <Said id={`${id}-said`} help={help} problem={problem} />
    </div>
  )
}
