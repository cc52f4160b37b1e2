import { useState } from "react"

/**
 * A field that is saved on blur. While a person types, a newer value from the service does not replace their text.
 * Give the component a `key` per item: the text belongs to one.
 */
export const useSavedField = (stored: string, save: (value: string) => Promise<boolean>) => {
  const [typed, setTyped] = useState<string | null>(null)
  return {
    value: typed ?? stored,
    onChange: setTyped,
    /** Resolves to whether everything typed is saved. */
    leave: async () => {
      const saved = typed === null || typed.trim() === stored || (await save(typed.trim()))
      // Text typed during the save stays.
      if (saved) setTyped((now) => (now === typed ? null : now))
      return saved
    }
  }
}
