import { type RefCallback, useId } from "react"
import { Icon } from "./Icon.tsx"

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly help?: string | undefined
  /** What is wrong with the value. It takes the place of the help. */
  readonly problem?: string | undefined
  /** The lines of a field that grows. */
  readonly lines?: number
  readonly type?: "text" | "password" | "url" | "number" | "datetime-local" | "time" | "search" | "email"
  /** Values to choose from; any other can be typed. */
  readonly suggestions?: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly autoComplete?: string
  readonly name?: string
  /** For the first field of a dialog. */
  readonly autoFocus?: boolean
  readonly onBlur?: () => void
  readonly ref?: RefCallback<HTMLElement>
}

const noSuggestions: NonNullable<Props["suggestions"]> = []

/** A label, a field, and a line below it that helps or says what is wrong. */
export const TextField = ({
  help,
  label,
  lines,
  onChange,
  problem,
  suggestions = noSuggestions,
  type = "text",
  ...rest
}: Props) => {
  const id = useId()
  const said = problem ?? help
  const common = {
    ...rest,
    id,
    "aria-invalid": problem !== undefined || undefined,
    "aria-describedby": said === undefined ? undefined : `${id}-said`
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {lines === undefined ? (
        <input
          {...common}
          type={type}
          list={suggestions.length === 0 ? undefined : `${id}-suggestions`}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <textarea {...common} rows={lines} onChange={({ target }) => onChange(target.value)} />
      )}
      {suggestions.length > 0 && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </datalist>
      )}
      <Said id={`${id}-said`} help={help} problem={problem} />
    </div>
  )
}

/** The line below a field. */
export const Said = ({
  help,
  id,
  problem
}: {
  readonly id: string
  readonly help?: string | undefined
  readonly problem?: string | undefined
}) =>
  problem === undefined ? (
    help === undefined ? null : (
      <p className="help" id={id}>
        {help}
      </p>
    )
  ) : (
    <p className="wrong" id={id} role="alert">
      <Icon name="warning" />
      {problem}
    </p>
  )
