import { useEffect, useState } from "react"

/** The time in milliseconds: new each second while something moves, else each half minute. */
export const useNow = (moving: boolean) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    const first = setTimeout(tick)
    const timer = setInterval(tick, moving ? 1_000 : 30_000)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [moving])
  return now
}
