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

const box = [
  "flex min-h-8 flex-wrap items-center gap-1 rounded-control border border-edge bg-card p-1",
  "focus-within:border-brand focus-within:outline-2 focus-within:outline-brand data-invalid:border-bad"
].join(" ")

const entry =
  "inline-flex min-h-6 max-w-full items-center rounded-pill bg-tint ps-2 text-xs text-brand max-md:min-h-touch"

const cross =
  "grid size-6 flex-none cursor-pointer place-items-center border-0 bg-transparent p-1 text-brand max-md:size-touch"

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
      <div className={box} data-invalid={problem === undefined ? undefined : true}>
        {value.length > 0 && (
          <ul className="contents" aria-label={label}>
            {value.map((token, index) => (
              <li key={nameOf(token)} className={entry}>
                {nameOf(token)}
                <Button
                  className={cross}
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
          className="min-h-6 min-w-12 flex-1 border-0 bg-transparent p-0 px-1 focus-visible:outline-none"
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
