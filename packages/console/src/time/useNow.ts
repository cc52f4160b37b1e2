import { useEffect, useState } from "react"

/** Now, in milliseconds: again each second while something moves, else each half minute. */
export const useNow = (moving: boolean) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), moving ? 1_000 : 30_000)
    return () => clearInterval(timer)
  }, [moving])
  return now
}
