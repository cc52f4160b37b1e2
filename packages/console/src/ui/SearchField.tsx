import type { ComponentProps } from "react"
import { Icon } from "./Icon.tsx"

interface Props extends Pick<ComponentProps<"input">, "autoFocus" | "onKeyDown" | "ref"> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const box = [
  "flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control border border-edge bg-card px-2 text-soft max-md:min-h-touch",
  "focus-within:border-brand focus-within:outline-2 focus-within:outline-brand"
].join(" ")

/** A field that finds what has a name. */
export const SearchField = ({ label, onChange, ...rest }: Props) => (
  <label className={box}>
    <Icon name="search" />
    <input
      {...rest}
      type="search"
      className="min-w-0 flex-1 border-0 bg-transparent text-sm text-ink outline-none max-md:text-lg"
      aria-label={label}
      placeholder={label}
      onChange={({ target }) => onChange(target.value)}
    />
  </label>
)
