import { useEffect, useEffectEvent, useState } from "react"
import { createPortal } from "react-dom"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"

const zone = [
  "flex h-full flex-col items-center justify-center gap-2 rounded-card border-2 border-dashed",
  "border-brand bg-tint/90"
].join(" ")

interface Props {
  readonly onFiles: (files: ReadonlyArray<File>) => void
  /** What a drop does, where it is no upload. */
  readonly title?: string
  readonly text?: string
}

const hasFiles = (transfer: DataTransfer | null) => transfer?.types.includes("Files") === true

/** Takes files dropped anywhere on the page, or pasted. During a drag, the page says what a drop does. */
export const FileDrop = ({ onFiles, text = words.drop.text, title }: Props) => {
  const [over, setOver] = useState<number | null>(null)
  const given = useEffectEvent(onFiles)

  useEffect(() => {
    const leave = () => setOver(null)
    const carry = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer!.dropEffect = "copy"
      setOver(event.dataTransfer!.items.length)
    }
    // Out of the window altogether: between two elements there is the next one.
    const out = (event: DragEvent) => {
      if (event.relatedTarget === null) leave()
    }
    const drop = (event: DragEvent) => {
      leave()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      given(files)
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      given(files)
    }
    window.addEventListener("dragenter", carry)
    window.addEventListener("dragover", carry)
    window.addEventListener("dragleave", out)
    window.addEventListener("drop", drop)
    window.addEventListener("paste", paste)
    return () => {
      window.removeEventListener("dragenter", carry)
      window.removeEventListener("dragover", carry)
      window.removeEventListener("dragleave", out)
      window.removeEventListener("drop", drop)
      window.removeEventListener("paste", paste)
    }
  }, [])

  return over === null
    ? null
    : createPortal(
        <div className="pointer-events-none fixed inset-0 z-60 bg-paper/70 p-4" aria-hidden="true">
          <div className={zone}>
            <span className="grid text-brand *:size-8">
              <Icon name="picture" />
            </span>
            <strong>{title ?? (over === 0 ? words.drop.several : words.drop.title(over))}</strong>
            <p className="text-sm text-soft">{text}</p>
          </div>
        </div>,
        document.body
      )
}
