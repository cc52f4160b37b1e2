import { useEffect, useState } from "react"

interface Word {
  readonly says: "who" | "here"
  readonly id: string
}

/** A closing tab may say nothing, so the others are asked again. */
const untilAskedAgain = 4_000

/** Whether another tab of this browser has the same post open. */
export const useOtherTabs = (id: string | undefined): boolean => {
  // The post that another tab has open.
  const [heard, setHeard] = useState<string | null>(null)
  useEffect(() => {
    if (id === undefined) return
    const channel = new BroadcastChannel("carillon.written")
    // A channel has no target origin: it stays within its own.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    const say = (says: Word["says"]) => channel.postMessage({ says, id } satisfies Word)
    let isHeard = false
    channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
      if (data.id !== id) return
      if (data.says === "who") say("here")
      isHeard = true
      setHeard(id)
    })
    say("who")
    const timer = setInterval(() => {
      if (!isHeard) setHeard(null)
      isHeard = false
      say("who")
    }, untilAskedAgain)
    return () => {
      clearInterval(timer)
      channel.close()
    }
  }, [id])
  return id !== undefined && heard === id
}
