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

export const EmojiPopover = ({ button, onChoose, onClose }: Props) => (
  <Popover
    className="popover emoji"
    aria-label={words.insert.emoji}
    triggerRef={button}
    placement="bottom end"
    maxHeight={344}
    isOpen
    onOpenChange={onClose}
  >
    <ListBox
      aria-label={words.insert.emoji}
      layout="grid"
      selectionMode="none"
      autoFocus="first"
      onAction={(key) => onChoose(String(key))}
    >
      {emoji.map(({ all, name }) => (
        <ListBoxSection key={name} id={name}>
          <Header>{name}</Header>
          {all.map(([sign, called]) => (
            <ListBoxItem key={sign} id={sign} className="one" textValue={called} aria-label={called}>
              {sign}
            </ListBoxItem>
          ))}
        </ListBoxSection>
      ))}
    </ListBox>
  </Popover>
)
