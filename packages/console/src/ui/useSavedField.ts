import { useState } from "react"

/**
 * A field that is saved when it is left. Until then what is typed is kept, whatever is read meanwhile; a field of another
 * item starts anew by its `key`.
 */
export const useSavedField = (kept: string, save: (value: string) => Promise<void>) => {
  const [typed, setTyped] = useState<string | null>(null)
  return {
    value: typed ?? kept,
    onChange: setTyped,
    /** Resolves to whether it is saved. */
    leave: async () => {
      if (typed === null || typed.trim() === kept) {
        setTyped(null)
        return true
      }
      try {
        await save(typed.trim())
        // What was typed while it was being saved stays.
        setTyped((now) => (now === typed ? null : now))
        return true
      } catch {
        return false
      }
    }
  }
}
