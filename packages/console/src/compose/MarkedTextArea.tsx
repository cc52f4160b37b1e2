import type { ComponentProps } from "react"

interface Props extends Omit<ComponentProps<"textarea">, "className" | "onChange" | "value"> {
  readonly value: string
  /** Where the text becomes too long; null: nowhere. */
  readonly end: number | null
  /** In large letters, and with the room of a page. */
  readonly large?: boolean
  readonly onChange: (value: string) => void
}

/** A text field as high as its text, with what is too long marked. */
export const MarkedTextArea = ({ end, large = false, onChange, value, ...field }: Props) => {
  const isOver = end !== null && end < value.length
  const letters = large ? "min-h-writing text-lg" : "min-h-12 text-base max-md:text-lg"
  return (
    <div className="grid">
      {/* It lies under the field in the same letters, and makes the field as high. */}
      <div
        className={`${text} ${letters} border-transparent text-transparent forced-color-adjust-none`}
        dir="auto"
        aria-hidden="true"
      >
        {value.slice(0, end ?? undefined)}
        {isOver && <mark className={over}>{value.slice(end)}</mark>}
        {/* A last empty line has no height otherwise. */}
        {"\u200b"}
      </div>
      <textarea
        {...field}
        dir="auto"
        className={`${text} ${letters} ${area}`}
        spellCheck
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

const text = [
  "col-start-1 row-start-1 min-w-0 overflow-hidden border-0 border-b py-2",
  "leading-writing wrap-break-word whitespace-pre-wrap"
].join(" ")

const area = [
  "resize-none border-hair bg-transparent px-0 text-ink outline-none",
  "placeholder:text-soft focus:border-brand"
].join(" ")

const over = "bg-bad-tint text-transparent underline decoration-bad decoration-2 underline-offset-4"
