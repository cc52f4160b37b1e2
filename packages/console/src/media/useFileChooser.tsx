import { useRef } from "react"
import { takenTypes } from "./mediaFacts.ts"

/** Chooses files of this device: `open` is for a button, and `input` belongs anywhere in the page. */
export const useFileChooser = (
  label: string,
  onFiles: (files: ReadonlyArray<File>) => void,
  accept = takenTypes
) => {
  const element = useRef<HTMLInputElement>(null)
  return {
    open: () => element.current!.click(),
    input: (
      <input
        ref={element}
        type="file"
        multiple
        hidden
        accept={accept}
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
