import { memo, type MouseEvent, type RefObject, Suspense, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { buttonClass } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { later } from "../ui/later.ts"
import { words } from "./en.ts"
import { insertion } from "./insertion.ts"

const EmojiPopover = later(() => import("./EmojiPopover.tsx"), "EmojiPopover")

/** Focuses the text. A text that never had the focus has its caret at the start, where nobody put it. */
const enter = (area: HTMLTextAreaElement) => {
  if (document.activeElement !== area && area.selectionEnd === 0)
    area.setSelectionRange(area.value.length, area.value.length)
  area.focus()
}

/** Inserts as if typed, so that the browser can undo it and sends its input event. */
const type = (text: string) => document.execCommand("insertText", false, text)

/** Leaves the focus, and a phone's keyboard, with the text. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

const begins = [
  { sign: "#", icon: "hash", label: words.insert.tag },
  { sign: "@", icon: "at", label: words.insert.mention }
] as const

const insert = `${buttonClass("quiet")} size-8 p-0 text-soft hover:bg-sunk hover:text-ink aria-expanded:bg-sunk max-md:size-touch`

/** A tag, a mention or an emoji where the caret stands. */
export const InsertButtons = memo(({ text }: { readonly text: RefObject<HTMLTextAreaElement | null> }) => {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  const begin = (sign: string) => {
    const area = text.current
    if (area === null) return
    enter(area)
    type(insertion(area.value, area.selectionStart, sign))
  }

  return (
    <>
      <div className="-me-2 flex flex-none max-md:-me-3" role="group" aria-label={words.insert.label}>
        {begins.map(({ icon, label, sign }) => (
          <button
            key={sign}
            type="button"
            className={insert}
            aria-label={label}
            onMouseDown={keepFocus}
            onClick={() => begin(sign)}
          >
            <Icon name={icon} />
          </button>
        ))}
        <button
          ref={button}
          type="button"
          className={insert}
          aria-label={words.insert.emoji}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onMouseDown={keepFocus}
          onClick={() => {
            // The popover returns the focus to the text.
            if (text.current !== null) enter(text.current)
            setOpen(true)
          }}
        >
          <Icon name="smile" />
        </button>
      </div>
      {isOpen && (
        <Suspense>
          <EmojiPopover
            button={button}
            onChoose={(sign) => {
              // The popover holds the focus until it is gone.
              flushSync(() => setOpen(false))
              text.current?.focus()
              type(sign)
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
})
