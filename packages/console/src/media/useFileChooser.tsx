import { useRef } from "react"
import { takenTypes } from "./mediaFacts.ts"

/** Files of this device: `open` is for a press, and `input` stands anywhere beside it. */
export const useFileChooser = (label: string, onFiles: (files: ReadonlyArray<File>) => void) => {
  const element = useRef<HTMLInputElement>(null)
  return {
    open: () => element.current!.click(),
    input: (
      <input
        ref={element}
        type="file"
        multiple
        hidden
        accept={takenTypes}
        aria-label={label}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ""
        }}
      />
    )
  }
}
