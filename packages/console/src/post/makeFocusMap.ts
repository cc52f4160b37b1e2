/** Elements by their keys. One that is not on the page yet gets the focus when it comes. */
export const makeFocusMap = () => {
  const elements = new Map<string, HTMLElement>()
  let pending: string | null = null
  return {
    has: (key: string) => elements.has(key),
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
    focus: (key: string) => {
      const element = elements.get(key)
      pending = element === undefined ? key : null
      element?.focus()
    }
  }
}

export type FocusMap = ReturnType<typeof makeFocusMap>
