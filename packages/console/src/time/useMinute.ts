import { useEffect, useState } from "react"

const minute = 60_000

/** The time in milliseconds, new with each minute of the clock on the wall. */
export const useMinute = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(
        () => {
          setNow(Date.now())
          wait()
        },
        minute - (Date.now() % minute)
      )
    }
    wait()
    return () => clearTimeout(timer)
  }, [])
  return now
}
