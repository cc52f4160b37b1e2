import { useId } from "react"
import { words } from "./en.ts"
import { Said } from "./TextField.tsx"

interface Props {
  readonly label: string
  readonly options: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** Undefined: nothing is chosen yet, or what `none` names. */
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  /** The entry for no choice. */
  readonly none?: string
  readonly help?: string | undefined
  readonly problem?: string | undefined
  readonly disabled?: boolean
}

/** One of a list, by the system's own control, which is right on phones too. */
export const Select = ({ disabled, help, label, none, onChange, options, problem, value }: Props) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ""}
        disabled={disabled}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={`${id}-said`}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
      >
        {(none !== undefined || value === undefined) && <option value="">{none ?? words.choose}</option>}
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
      <Said id={`${id}-said`} help={help} problem={problem} />
    </div>
  )
}
