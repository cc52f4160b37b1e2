import { dollars } from "@carillon/domain/Prices"
import { type ReactNode, Suspense, use, useCallback, useEffect, useRef } from "react"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { later } from "../ui/later.ts"
import { useNarrow } from "../ui/useNarrow.ts"
import { useComposer, FormContext } from "./ComposerContext.ts"
import { words } from "./en.ts"
import type { Placed } from "./problems.ts"
import { shownInZone } from "./readTime.ts"
import { slotWords } from "./zoned.ts"

const ProblemList = later(() => import("./ProblemList.tsx"), "ProblemList")

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
  readonly onDescribe: (id: string) => void
  readonly onGo: (placed: Placed) => void
  readonly onKeepDraft: () => void
  readonly onList: (listed: boolean) => void
  readonly onSend: () => void
  /** The time. */
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
  useEffect(() => ProblemList.preload(), [])
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
  return (
    <footer className={bar}>
      {children}
      <div className="relative ms-auto flex items-center gap-2 max-md:w-full" data-acts>
        {problems.length > 0 && (
          <button
            type="button"
            className={opens}
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
        {cost > 0 && <span className="text-sm text-soft tabular-nums">{words.send.cost(dollars(cost))}</span>}
        {!isNarrow && (
          <Button onPress={onKeepDraft}>{isDraft ? words.send.keepDraft : words.send.makeDraft}</Button>
        )}
        {!isHeld && (
          <div className="max-md:flex max-md:min-h-12 max-md:flex-1 max-md:*:flex-1 max-md:*:whitespace-normal">
            <Button look="main" data-opens-problems onPress={onSend}>
              {isSending ? words.send.sending : main}
              {!isNarrow && (
                <kbd className="bg-brand-deep text-on-brand" aria-hidden="true">
                  {mac ? "⌘↵" : "Ctrl ↵"}
                </kbd>
              )}
            </Button>
          </div>
        )}
      </div>
      {isListed && problems.length > 0 && (
        <Suspense>
          <ProblemList checkedAt={checkedAt} onDescribe={onDescribe} onGo={onGo} onClose={closeList} />
        </Suspense>
      )}
    </footer>
  )
}

const bar = [
  "relative z-10 flex flex-none flex-wrap items-center gap-x-4 gap-y-2 border-0 border-t border-line bg-card px-room py-3",
  "max-md:flex-col max-md:items-stretch max-md:px-4 max-md:pt-1 max-md:pb-safe"
].join(" ")

const opens = [
  "inline-flex min-h-8 cursor-pointer items-center gap-2 rounded-control border-0 bg-transparent px-3 text-sm font-semibold",
  "text-bad hover:bg-bad-tint aria-expanded:bg-bad-tint max-md:min-h-12"
].join(" ")
