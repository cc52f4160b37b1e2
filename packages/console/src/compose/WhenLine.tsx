import { useRef, useState } from "react"
import { Dialog as AriaDialog } from "react-aria-components/Dialog"
import { Popover } from "react-aria-components/Popover"
import { placeOf } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useNarrow } from "../ui/useNarrow.ts"
import { words } from "./en.ts"
import { fieldNames } from "./fieldOf.ts"
import { useFocusFields } from "./focusFields.ts"
import { readTime, shownInZone } from "./readTime.ts"
import { away } from "./times.ts"
import { WhenFields, type WhenFieldsProps } from "./WhenFields.tsx"

interface Props extends WhenFieldsProps {
  readonly isOpen: boolean
  readonly onOpen: (open: boolean) => void
}

/** When the post goes out as a sentence: its time, then what there is to know about it. */
const sentenceOf = ({ now, slot, when, zone }: WhenFieldsProps): readonly [string, string] => {
  if (when.kind === "now") return [words.when.now, ""]
  if (when.kind === "queue") return [`${words.when.queue}: ${slot}`, ""]
  const read = readTime(when.value, zone)
  if (read === null) return [words.send.chooseTime, ""]
  const facts = read.sentence === undefined ? [placeOf(zone), away(read.at, now)] : [read.sentence]
  return [shownInZone(when.value), facts.filter(Boolean).join(" · ")]
}

/** When the post goes out, in a sentence; its fields open over it. */
export const WhenLine = ({ isOpen, onOpen, ...given }: Props) => {
  const isNarrow = useNarrow()
  const change = useRef<HTMLButtonElement>(null)
  const fields = useFocusFields()
  // A time that gave way to the queue is offered again.
  const [usual, setUsual] = useState(given.usual)
  const [time, facts] = sentenceOf(given)
  const choices = (
    <WhenFields
      {...given}
      usual={usual}
      onChange={(next) => {
        if (given.when.kind === "at" && given.when.value !== "") setUsual(given.when.value)
        given.onChange(next)
      }}
    />
  )
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2 text-sm md:basis-list" data-when>
      <Icon name={given.when.kind === "queue" ? "queue" : given.when.kind === "now" ? "bolt" : "calendar"} />
      <p className="min-w-0 max-md:flex-1">
        <strong className="font-semibold">{time}</strong>{" "}
        {given.problem === undefined ? (
          <span className="text-soft">{facts !== "" && ` · ${facts}`}</span>
        ) : (
          <span className="text-bad"> · {given.problem}</span>
        )}
      </p>
      <Button
        ref={(element) => {
          change.current = element
          return fields.register(fieldNames.when)(element)
        }}
        aria-label={words.when.change}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        look={isNarrow ? "quiet" : undefined}
        onPress={() => onOpen(!isOpen)}
      >
        {words.change}
      </Button>
      {isNarrow
        ? isOpen && (
            <Dialog title={words.when.label} onClose={() => onOpen(false)}>
              {choices}
              <Button look="main" onPress={() => onOpen(false)}>
                {words.when.done}
              </Button>
            </Dialog>
          )
        : isOpen && (
            <Popover
              className="popover"
              triggerRef={change}
              placement="top start"
              isOpen
              onOpenChange={onOpen}
            >
              <AriaDialog className="p-4 outline-none" aria-label={words.when.label}>
                {choices}
              </AriaDialog>
            </Popover>
          )}
    </div>
  )
}
