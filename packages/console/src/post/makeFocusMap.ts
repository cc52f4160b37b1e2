/** Elements by their keys. One that is not on the page yet gets the focus when it comes; until then, another may have it. */
export const makeFocusMap = () => {
  const elements = new Map<string, HTMLElement>()
  let pending: string | null = null
  return {
    at: (key: string) => elements.get(key),
    /** For a `ref`: returns what forgets the element. */
    register: (key: string, element: HTMLElement) => {
      elements.set(key, element)
      if (pending === key) {
        pending = null
        element.focus()
      }
      return () => {
        if (elements.get(key) === element) elements.delete(key)
      }
    },
    focus: (key: string, meanwhile?: string) => {
      pending = elements.has(key) ? null : key
      elements.get(pending === null ? key : (meanwhile ?? ""))?.focus()
    }
  }
}

export type FocusMap = ReturnType<typeof makeFocusMap>
