import { useCallback, useState } from "react"

/** How many children of an element stand in its first line. The others wrap, and are to be hidden. */
export const useFitting = () => {
  const [fitting, setFitting] = useState(0)
  const ref = useCallback((element: HTMLDivElement) => {
    const observer = new ResizeObserver(() => {
      const children = [...element.children] as Array<HTMLElement>
      setFitting(children.filter(({ offsetTop }) => offsetTop === children[0]?.offsetTop).length)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { fitting, ref }
}
