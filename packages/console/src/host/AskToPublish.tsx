import { Button } from "../ui/Button.tsx"
import { words } from "./en.ts"

interface Props {
  /** To how many accounts it goes. */
  readonly accounts: number
  readonly isDisabled?: boolean
  readonly onNo: () => void
  readonly onYes: () => void
}

/** Asks before a post goes out at once. */
export const AskToPublish = ({ accounts, isDisabled = false, onNo, onYes }: Props) => (
  <div
    className="flex flex-col gap-2 rounded-control border border-bad p-3 text-sm"
    role="group"
    aria-label={words.publish}
  >
    <p>{words.really(accounts)}</p>
    <div className="flex flex-wrap gap-2">
      <Button autoFocus onPress={onNo}>
        {words.no}
      </Button>
      <Button look="danger" isDisabled={isDisabled} onPress={onYes}>
        {words.yes}
      </Button>
    </div>
  </div>
)
