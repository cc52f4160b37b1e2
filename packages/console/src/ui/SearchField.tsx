import { Icon } from "./Icon.tsx"

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** For the first field of a dialog. */
  readonly autoFocus?: boolean
}

const box = [
  "flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control border border-edge bg-card px-2 text-soft",
  "focus-within:border-brand focus-within:outline-2 focus-within:outline-brand"
].join(" ")

/** A field that finds what has a name. */
export const SearchField = ({ autoFocus, label, onChange, value }: Props) => (
  <label className={box}>
    <Icon name="search" />
    <input
      type="search"
      className="min-w-0 flex-1 border-0 bg-transparent text-sm text-ink outline-none"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog opened for this search.
      autoFocus={autoFocus}
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </label>
)
