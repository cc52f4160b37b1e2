import type { RefObject } from "react"
import { Header, ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ListBox"
import { Popover } from "react-aria-components/Popover"
import { emoji } from "./emoji.ts"
import { words } from "./en.ts"

interface Props {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly onChoose: (sign: string) => void
  readonly onClose: () => void
}

const sign = [
  "grid h-touch cursor-pointer place-items-center rounded-control text-xl leading-none outline-none",
  "hover:bg-sunk focused:bg-sunk focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-brand"
].join(" ")

export const EmojiPopover = ({ button, onChoose, onClose }: Props) => (
  <Popover
    className="popover overflow-auto p-2 scroll-pt-8"
    aria-label={words.insert.emoji}
    triggerRef={button}
    placement="bottom end"
    maxHeight={344}
    isOpen
    onOpenChange={onClose}
  >
    <ListBox
      aria-label={words.insert.emoji}
      className="outline-none"
      layout="grid"
      selectionMode="none"
      autoFocus="first"
      onAction={(key) => onChoose(String(key))}
    >
      {emoji.map(({ all, name }) => (
        <ListBoxSection key={name} id={name} className="grid grid-cols-emoji">
          <Header className="col-span-full px-2 pt-2 text-xs font-semibold text-soft">{name}</Header>
          {all.map(([letter, called]) => (
            <ListBoxItem key={letter} id={letter} className={sign} textValue={called} aria-label={called}>
              {letter}
            </ListBoxItem>
          ))}
        </ListBoxSection>
      ))}
    </ListBox>
  </Popover>
)
