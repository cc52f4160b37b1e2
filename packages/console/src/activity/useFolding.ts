import { useEffect, useState } from "react"
import type { Cause } from "./causesOf.ts"

/** How long a row takes to fold away. */
const folding = 160

/** The causes, including those just solved until they have folded away. */
export const useFolding = (causes: ReadonlyArray<Cause>) => {
  const [shown, setShown] = useState(causes)
  const fresh = new Map(causes.map((cause) => [cause.key, cause]))
  const gone = new Set(shown.flatMap(({ key }) => (fresh.has(key) ? [] : [key])))
  if (gone.size === 0 && shown !== causes) setShown(causes)
  const leaving = [...gone].join()
  useEffect(() => {
    if (leaving === "") return
    const timer = setTimeout(() => setShown(causes), folding)
    return () => clearTimeout(timer)
  }, [causes, leaving])
  return (gone.size === 0 ? causes : shown).map((cause) => ({
    cause: fresh.get(cause.key) ?? cause,
    leaving: gone.has(cause.key)
  }))
}
