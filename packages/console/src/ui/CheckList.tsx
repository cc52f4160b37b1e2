import { type ReactNode, useId } from "react"
import { Said } from "./TextField.tsx"
import { toggled } from "./toggled.ts"

interface Props<Id extends string | number> {
  readonly label: string
  readonly options: ReadonlyArray<{ readonly id: Id; readonly name: ReactNode; readonly help?: string }>
  readonly chosen: ReadonlyArray<Id>
  readonly onChoose: (chosen: ReadonlyArray<Id>) => void
  readonly problem?: string | undefined
}

/** Any number of a list. */
export const CheckList = <Id extends string | number>({
  chosen,
  label,
  onChoose,
  options,
  problem
}: Props<Id>) => {
  const said = useId()
  return (
    <fieldset
      className="m-0 flex min-w-0 flex-col gap-1 border-0 p-0"
      aria-describedby={problem === undefined ? undefined : said}
    >
      <legend className="mb-1 p-0 text-xs font-semibold">{label}</legend>
      <div className="max-h-list overflow-y-auto rounded-control border border-line p-1">
        {options.map(({ help, id, name }) => (
          <label
            key={id}
            className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2 py-1 text-sm hover:bg-sunk max-sm:min-h-touch"
          >
            <input
              type="checkbox"
              className="m-0 size-4 flex-none accent-brand"
              checked={chosen.includes(id)}
              onChange={() => onChoose(toggled(chosen, id))}
            />
            <span className="flex min-w-0 flex-1 flex-col">
              <span className="flex items-center gap-2">{name}</span>
              {help !== undefined && <span className="text-xs text-soft">{help}</span>}
            </span>
          </label>
        ))}
      </div>
      <Said id={said} problem={problem} />
    </fieldset>
  )
}
