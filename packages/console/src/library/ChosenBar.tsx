import { words } from "../media/en.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { mostChosen } from "./useChosen.ts"

interface Props {
  readonly count: number
  /** How many files are listed. */
  readonly listed: number
  readonly onAll: () => void
  readonly onWrite: () => void
  readonly onRemove: () => void
  readonly onEnd: () => void
}

/** From the button that it stands in for; a tile that was chosen keeps it. */
const takeFocus = (button: HTMLButtonElement | null) => {
  if (document.activeElement === document.body) button?.focus()
}

/** What can be done with the files that are chosen. */
export const ChosenBar = ({ count, listed, onAll, onEnd, onRemove, onWrite }: Props) => (
  <div
    className="ms-auto flex max-w-full flex-wrap items-center gap-2 max-sm:w-full"
    role="group"
    aria-label={words.choosing.label}
  >
    <span className="flex-1 text-sm whitespace-nowrap tabular-nums" role="status">
      {words.choosing.chosen(count)}
    </span>
    <Button ref={takeFocus} onPress={onAll}>
      {words.choosing.all(Math.min(listed, mostChosen), listed > mostChosen)}
    </Button>
    <Button isDisabled={count === 0} onPress={onRemove}>
      <Icon name="trash" />
      {words.choosing.remove}
    </Button>
    <Button look="main" isDisabled={count === 0} onPress={onWrite}>
      <Icon name="plus" />
      {words.drawer.write}
    </Button>
    <Button onPress={onEnd}>{words.choosing.end}</Button>
  </div>
)
