import type { ReactNode } from "react"

interface Props<Id extends string> {
  readonly label: string
  readonly options: ReadonlyArray<{ readonly id: Id; readonly name: ReactNode }>
  readonly chosen: Id | undefined
  readonly onChoose: (id: Id) => void
}

/** One of a few, side by side. */
export const Segments = <Id extends string>({ chosen, label, onChoose, options }: Props<Id>) => (
  <div className="segments" role="group" aria-label={label}>
    {options.map(({ id, name }) => (
      <button
        key={id}
        type="button"
        className="segment"
        aria-current={id === chosen || undefined}
        onClick={() => onChoose(id)}
      >
        {name}
      </button>
    ))}
  </div>
)
