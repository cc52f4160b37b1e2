import { createContext, use } from "react"

const control = "input, select, textarea, button"

/** The fields on the page by name, so that a problem or an act can lead to one. */
export const makeFocusFields = () => {
  const fields = new Map<string, HTMLElement>()
  const find = (names: ReadonlyArray<string>) => {
    for (const name of names) {
      const field = fields.get(name)
      // The files of a level that is not shown are on the page too.
      if (field === undefined || !field.checkVisibility()) continue
      const found = field.matches(`${control}, [tabindex]`)
        ? field
        : [...field.querySelectorAll<HTMLElement>(control)].find((one) => one.checkVisibility())
      if (found !== undefined && !found.matches(":disabled")) return found
    }
    return undefined
  }
  return {
    /** The ref of a field, or of the box around it. */
    register:
      (...names: ReadonlyArray<string>) =>
      (element: HTMLElement | null) => {
        if (element === null) return
        for (const name of names) fields.set(name, element)
        return () => {
          for (const name of names) if (fields.get(name) === element) fields.delete(name)
        }
      },
    at: (name: string) => fields.get(name),
    /** Focuses the first of the fields that is on the page. */
    focus: (...names: ReadonlyArray<string>) => find(names)?.focus(),
    /** The same, in the middle of the screen. */
    show: (...names: ReadonlyArray<string>) => {
      const field = find(names)
      field?.scrollIntoView({ block: "center" })
      field?.focus()
    }
  }
}

export type FocusFields = ReturnType<typeof makeFocusFields>

export const FocusContext = createContext<FocusFields | null>(null)
export const useFocusFields = () => use(FocusContext)!
