import { useCallback, useState } from "react"

/** How many children of an element stand in its first line. The others wrap, and are to be hidden. */
export const useFitting = () => {
  const [fitting, setFitting] = useState(0)
  const ref = useCallback((element: HTMLDivElement) => {
    const count = () => {
      const children = [...element.children] as Array<HTMLElement>
      setFitting(children.filter(({ offsetTop }) => offsetTop === children[0]?.offsetTop).length)
    }
    const resized = new ResizeObserver(count)
    resized.observe(element)
    // Another order or a bold name takes another width, and the box keeps its own.
    const changed = new MutationObserver(count)
    changed.observe(element, { attributeFilter: ["aria-pressed"], childList: true, subtree: true })
    return () => {
      resized.disconnect()
      changed.disconnect()
    }
  }, [])
  return { fitting, ref }
}
