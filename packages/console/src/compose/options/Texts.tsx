import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { TextField } from "../../ui/TextField.tsx"
import { addAnother, charactersOf, nth, remove } from "./en.ts"

interface Props {
  readonly label: string
  readonly help: string | undefined
  readonly problem: string | undefined
  /** One text for all, or one for each. */
  readonly value: string | ReadonlyArray<string>
  readonly longest: number | undefined
  readonly most: number | undefined
  readonly onChange: (value: string | ReadonlyArray<string>) => void
}

export const counted = (help: string | undefined, text: string, longest: number | undefined) =>
  longest === undefined || longest >= 100_000
    ? help
    : [help, charactersOf([...text].length, longest)].filter(Boolean).join(" ")

export const Texts = ({ help, label, longest, most = Infinity, onChange, problem, value }: Props) => {
  if (typeof value === "string")
    return (
      <TextField
        label={label}
        lines={2}
        value={value}
        help={counted(help, value, longest)}
        problem={problem}
        onChange={onChange}
      />
    )
  return (
    <div className="flex flex-col items-start gap-2">
      {value.map((text, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the texts have no other name than their place.
        <div key={index} className="flex w-full items-end gap-2 *:first:flex-1">
          <TextField
            label={nth(label, index)}
            lines={2}
            value={text}
            help={counted(undefined, text, longest)}
            onChange={(changed) => onChange(value.with(index, changed))}
          />
          <Button
            look="quiet"
            square
            aria-label={remove(nth(label, index))}
            onPress={() => onChange(value.toSpliced(index, 1))}
          >
            <Icon name="trash" />
          </Button>
        </div>
      ))}
      {problem !== undefined && (
        <p className="text-xs text-bad" role="alert">
          {problem}
        </p>
      )}
      {value.length < most && (
        <Button onPress={() => onChange([...value, ""])}>
          <Icon name="plus" />
          {value.length === 0 ? label : addAnother}
        </Button>
      )}
      {help !== undefined && <p className="text-xs text-soft">{help}</p>}
    </div>
  )
}
