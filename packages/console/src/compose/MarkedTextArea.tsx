import type { ComponentProps } from "react"

interface Props extends Omit<ComponentProps<"textarea">, "onChange" | "value"> {
  readonly value: string
  /** Where the text becomes too long; null: nowhere. */
  readonly end: number | null
  readonly onChange: (value: string) => void
}

/** A text field as high as its text, with what is too long marked. */
export const MarkedTextArea = ({ end, onChange, value, ...field }: Props) => (
  <div className="marked">
    {/* It lies under the field in the same letters, and makes the field as high. */}
    <div className="text-box" aria-hidden="true">
      {value.slice(0, end ?? undefined)}
      {end !== null && <mark>{value.slice(end)}</mark>}
      {/* A last empty line has no height otherwise. */}
      {"\u200b"}
    </div>
    <textarea
      {...field}
      className="text-box"
      spellCheck
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </div>
)
