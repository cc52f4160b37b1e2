import { type RefObject, useEffect, useState } from "react"
import { useFocusFields } from "./focusFields.ts"
import { words } from "./en.ts"

const parts = ["accounts", "text", "preview", "when"] as const

/** On a phone: tabs that scroll to the parts of the page. */
export const PartTabs = ({ scroller }: { readonly scroller: RefObject<HTMLElement | null> }) => {
  const [at, setAt] = useState<(typeof parts)[number]>("accounts")
  const fields = useFocusFields()
  useEffect(() => {
    const box = scroller.current!
    const look = () => {
      const line = box.getBoundingClientRect().top + box.clientHeight / 3
      const ended = box.scrollTop + box.clientHeight >= box.scrollHeight - 2
      const passed = parts.filter((id) => {
        const top = fields.at(`part ${id}`)?.getBoundingClientRect().top
        return top !== undefined && (top <= line || (ended && id === "when"))
      })
      setAt((box.scrollTop > 0 ? passed.at(-1) : undefined) ?? "accounts")
    }
    look()
    box.addEventListener("scroll", look, { passive: true })
    return () => box.removeEventListener("scroll", look)
  }, [fields, scroller])
  return (
    <nav className="part-tabs" aria-label={words.partsOfPost}>
      {parts.map((id) => (
        <button
          key={id}
          type="button"
          aria-current={id === at || undefined}
          onClick={() => fields.at(`part ${id}`)?.scrollIntoView({ block: "start", behavior: "smooth" })}
        >
          {words.parts[id]}
        </button>
      ))}
    </nav>
  )
}
