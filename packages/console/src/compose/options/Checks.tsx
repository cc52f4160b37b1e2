import { useId, useState } from "react"
import { Said } from "../../ui/TextField.tsx"
import { Tick } from "../../ui/Tick.tsx"
import { toggled } from "../../ui/toggled.ts"
import { findAmong } from "./en.ts"

interface Props {
  readonly label: string
  readonly help: string | undefined
  readonly problem: string | undefined
  readonly choices: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly chosen: ReadonlyArray<string>
  readonly onChange: (chosen: ReadonlyArray<string>) => void
}

/** From this many on, the list has a search field. */
const many = 9

/** Several of a list. A chosen entry that left the list stays until it is removed. */
export const Checks = ({ choices, chosen, help, label, onChange, problem }: Props) => {
  const id = useId()
  const [sought, setSought] = useState("")
  const gone = chosen.filter((one) => !choices.some((choice) => choice.id === one))
  const shown = [...choices, ...gone.map((one) => ({ id: one, name: one }))].filter(
    (choice) =>
      chosen.includes(choice.id) ||
      choice.name.toLocaleLowerCase().includes(sought.toLocaleLowerCase().trim())
  )
  return (
    <div className="field" role="group" aria-labelledby={id} aria-describedby={`${id}-said`}>
      <span className="label" id={id}>
        {label}
      </span>
      {choices.length >= many && (
        <input
          type="search"
          value={sought}
          aria-label={findAmong(label)}
          placeholder={findAmong(label)}
          onChange={({ target }) => setSought(target.value)}
        />
      )}
      <div className="flex max-h-file flex-wrap gap-x-4 overflow-y-auto p-1">
        {shown.map((choice) => (
          <Tick
            key={choice.id}
            checked={chosen.includes(choice.id)}
            onChange={() => onChange(toggled(chosen, choice.id))}
          >
            {choice.name}
          </Tick>
        ))}
      </div>
      <Said id={`${id}-said`} help={help} problem={problem} />
    </div>
  )
}
