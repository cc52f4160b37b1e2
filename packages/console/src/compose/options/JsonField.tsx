import { useState } from "react"
import { TextField } from "../../ui/TextField.tsx"
import { notJson } from "./en.ts"

interface Props {
  readonly label: string
  readonly help: string | undefined
  readonly problem: string | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const read = (text: string): { readonly value: unknown } | undefined => {
  if (text.trim() === "") return { value: undefined }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const written = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, null, 2))

/** JSON for options without a field. Only valid JSON is applied. */
export const JsonField = ({ onChange, problem, value, ...rest }: Props) => {
  const [text, setText] = useState(() => written(value))
  const current = read(text)
  const shown = current === undefined || written(current.value) === written(value) ? text : written(value)
  return (
    <TextField
      {...rest}
      lines={3}
      value={shown}
      problem={current === undefined ? notJson : problem}
      onChange={(next) => {
        setText(next)
        const result = read(next)
        if (result !== undefined) onChange(result.value)
      }}
    />
  )
}
