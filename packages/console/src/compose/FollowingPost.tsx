import { useId, useRef } from "react"
import type { Account } from "../data/accounts.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Counts } from "./Counts.tsx"
import type { Counter } from "./counters.ts"
import { words as allWords } from "./en.ts"
import { useFocusFields } from "./focusFields.ts"
import type { Item } from "./Form.ts"
import { InsertButtons } from "./InsertButtons.tsx"
import { MarkedTextArea } from "./MarkedTextArea.tsx"
import { MediaField } from "./media/MediaField.tsx"
import { Trouble } from "./Trouble.tsx"

const words = allWords.thread

interface Props {
  readonly item: Item
  /** Its names as a field of the page: by its place, by its key, and of its files. */
  readonly names: readonly [string, string, string]
  /** Its place after the first post, from 0. */
  readonly index: number
  /** How many posts the thread has, with the first. */
  readonly count: number
  readonly accounts: ReadonlyArray<Account>
  readonly counters: ReadonlyArray<Counter>
  /** Where its text becomes too long; null: nowhere. */
  readonly end: number | null
  readonly onTiles: ReadonlyArray<{ readonly id: string; readonly sentence: string }>
  /** Its problems, without those of its files. */
  readonly below: ReadonlyArray<string>
  readonly onChange: (part: Partial<Item>) => void
  readonly onMove: (way: "earlier" | "later") => void
  readonly onRemove: () => void
  readonly onUploading: (count: number) => void
}

/** A post of a thread after the first: its text, files and place. */
export const FollowingPost = ({
  accounts,
  below,
  count,
  counters,
  end,
  index,
  item,
  names: [byPlace, byKey, media],
  onChange,
  onMove,
  onRemove,
  onTiles,
  onUploading
}: Props) => {
  const fields = useFocusFields()
  const area = useRef<HTMLTextAreaElement>(null)
  const counts = useId()
  const number = index + 2
  return (
    <li className="border-0 border-s-2 border-line ps-4" data-item={index}>
      <header className="flex items-center gap-1 text-soft">
        <h2 className="flex-1 text-sm tabular-nums">{words.place(number, count)}</h2>
        <Button
          square
          look="quiet"
          ref={fields.register(`${byKey} earlier`)}
          aria-label={words.earlier(number)}
          onPress={() => onMove("earlier")}
        >
          <Icon name="up" />
        </Button>
        <Button
          square
          look="quiet"
          ref={fields.register(`${byKey} later`)}
          aria-label={words.later(number)}
          isDisabled={number === count}
          onPress={() => onMove("later")}
        >
          <Icon name="down" />
        </Button>
        <Button square look="quiet" aria-label={words.remove(number)} onPress={onRemove}>
          <Icon name="trash" />
        </Button>
      </header>
      <MarkedTextArea
        ref={(element) => {
          area.current = element
          return fields.register(byPlace, `${byKey} text`)(element)
        }}
        aria-label={words.text(number)}
        aria-describedby={counts}
        aria-invalid={below.length > 0 || undefined}
        placeholder={words.placeholder}
        value={item.caption}
        end={end}
        onChange={(caption) => onChange({ caption })}
      />
      <div className="flex items-start gap-3">
        <Counts counters={counters} id={counts} />
        <InsertButtons text={area} />
      </div>
      {below.map((sentence) => (
        <Trouble key={sentence}>{sentence}</Trouble>
      ))}
      <MediaField
        name={media}
        label={words.media(number)}
        media={item.media}
        takesDrops={false}
        accounts={accounts}
        problems={onTiles}
        onChange={(media) => onChange({ media })}
        onUploading={onUploading}
      />
    </li>
  )
}
