import { useEffect, useRef } from "react"

/** Focuses what a selector finds when the page shows it; the text, where there is nothing of the kind. */
export const useWantedFocus = () => {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    // The files of a level that is not shown are in the page too.
    const element =
      [...document.querySelectorAll<HTMLElement>(wanted.current)].find((one) => one.checkVisibility()) ??
      document.querySelector<HTMLElement>('[data-anchor="text"]')
    wanted.current = null
    element?.scrollIntoView({ block: "center" })
    element?.focus()
  })
  return wanted
}
