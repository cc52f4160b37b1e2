import { dollars } from "@carillon/domain/Prices"
import { lazy, type ReactNode, Suspense, use, useCallback, useEffect, useRef } from "react"
import { workspace } from "../data/api.ts"
import { placeOf as zonePlace } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useNarrow } from "../ui/useNarrow.ts"
import { useComposer, FormContext } from "./ComposerContext.ts"
import { words } from "./en.ts"
import type { Placed } from "./problems.ts"
import { shownInZone } from "./WhenFields.tsx"
import { slotWords } from "./zoned.ts"

const problemList = () => import("./ProblemList.tsx")
const ProblemList = lazy(async () => ({ default: (await problemList()).ProblemList }))

interface Props {
  /** When the service answered; null: it could not be reached; undefined: it was not asked yet. */
  readonly checkedAt: Date | null | undefined
  /** What the post costs, in millionths of a US dollar. */
  readonly cost: number
  readonly isDraft: boolean
  /** It waits for a decision, which is taken elsewhere. */
  readonly isHeld: boolean
  /** Its time has come. */
  readonly isDue: boolean
  /** Whether the problems are listed. */
  readonly isListed: boolean
  readonly isSending: boolean
  /** The next free slot of the queue. */
  readonly slot: string | null | undefined
  readonly onChangeTime: () => void
  readonly onDescribe: (id: string) => void
  readonly onGo: (placed: Placed) => void
  readonly onKeepDraft: () => void
  readonly onList: (listed: boolean) => void
  readonly onSend: () => void
  /** The fields of the time, where there is room. */
  readonly children: ReactNode
}

const mac = /mac|iphone|ipad/i.test(navigator.userAgent)

/** The time, the problems and the button. */
export const SubmitBar = ({
  checkedAt,
  children,
  cost,
  isDraft,
  isHeld,
  isDue,
  isListed,
  isSending,
  onChangeTime,
  onDescribe,
  onGo,
  onKeepDraft,
  onList,
  onSend,
  slot
}: Props) => {
  const form = use(FormContext)
  const { problems } = useComposer()
  const isNarrow = useNarrow()
  // Loaded early, so that the list opens without a connection.
  useEffect(() => {
    problemList().catch(() => {})
  }, [])
  const opener = useRef<HTMLButtonElement>(null)
  const closeList = useCallback(() => {
    onList(false)
    opener.current?.focus()
  }, [onList])
  const main =
    form.when.kind === "now"
      ? words.send.now
      : !isDraft
        ? isDue
          ? words.send.saveDue
          : words.send.save
        : form.when.kind === "queue"
          ? slot == null
            ? words.send.queueAnyhow
            : words.send.queue(slotWords(slot))
          : form.when.value === ""
            ? words.send.chooseTime
            : words.send.schedule(shownInZone(form.when.value))
  const whenWords =
    form.when.kind === "now"
      ? words.when.now
      : form.when.kind === "queue"
        ? `${words.when.queue}: ${slotWords(slot)}`
        : form.when.value === ""
          ? words.send.chooseTime
          : shownInZone(form.when.value)

  return (
    <footer className="send-bar">
      {isNarrow ? (
        <p className="when-line">
          <Icon name="calendar" />
          <strong>{whenWords}</strong> {form.when.kind === "at" && zonePlace(workspace.timezone)}
          <button type="button" className="link" onClick={onChangeTime}>
            {words.change}
          </button>
        </p>
      ) : (
        children
      )}
      <div className="acts">
        {problems.length > 0 && (
          <button
            type="button"
            className="problem-button"
            data-opens-problems
            ref={opener}
            aria-expanded={isListed}
            aria-haspopup="dialog"
            aria-label={words.problems.title(problems.length)}
            onClick={() => onList(!isListed)}
          >
            <Icon name="warning" />
            {isNarrow ? problems.length : words.problems.title(problems.length)}
          </button>
        )}
        {isListed && problems.length > 0 && (
          <Suspense>
            <ProblemList checkedAt={checkedAt} onDescribe={onDescribe} onGo={onGo} onClose={closeList} />
          </Suspense>
        )}
        {cost > 0 && <span className="cost">{words.send.cost(dollars(cost))}</span>}
        {!isNarrow && (
          <Button onPress={onKeepDraft}>{isDraft ? words.send.keepDraft : words.send.makeDraft}</Button>
        )}
        {!isHeld && (
          <Button look="main" data-opens-problems onPress={onSend}>
            {isSending ? words.send.sending : main}
            {!isNarrow && <kbd aria-hidden="true">{mac ? "⌘↵" : "Ctrl ↵"}</kbd>}
          </Button>
        )}
      </div>
    </footer>
  )
}
