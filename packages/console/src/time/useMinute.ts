import { useEffect, useState } from "react"

const minute = 60_000

/** Now, in milliseconds: anew when the clock on the wall goes on to its next minute. */
export const useMinute = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), minute - (Date.now() % minute))
    return () => clearTimeout(timer)
  }, [now])
  return now
}
