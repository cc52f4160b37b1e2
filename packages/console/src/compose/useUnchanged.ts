import { useMemo } from "react"

/** Keeps the identity of a value while its JSON is unchanged, to avoid re-rendering on every keystroke. */
export const useUnchanged = <A>(value: A): A => {
  const said = JSON.stringify(value)
  return useMemo((): A => JSON.parse(said), [said])
}
