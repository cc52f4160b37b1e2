import { useMemo } from "react"

/** The same object for as long as it says the same, so that what shows it is not drawn again with every key. Plain data only. */
export const useUnchanged = <A>(value: A): A => {
  const said = JSON.stringify(value)
  return useMemo((): A => JSON.parse(said), [said])
}
