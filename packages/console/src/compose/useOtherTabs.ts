import { useEffect, useState } from "react"

type Word = { readonly says: "who" | "here" | "left"; readonly id: string }

/** Whether another tab of this browser has the same post open. */
export const useOtherTabs = (id: string | undefined): boolean => {
  const [others, setOthers] = useState(false)
  useEffect(() => {
    setOthers(false)
    if (id === undefined) return
    const channel = new BroadcastChannel("carillon.written")
    // A channel has no target origin: it stays within its own.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    const say = (says: Word["says"]) => channel.postMessage({ says, id } satisfies Word)
    channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
      if (data.id !== id) return
      if (data.says === "who") say("here")
      setOthers(data.says !== "left")
      // One left; whoever is still there says so.
      if (data.says === "left") say("who")
    })
    say("who")
    const leave = () => say("left")
    window.addEventListener("pagehide", leave)
    return () => {
      window.removeEventListener("pagehide", leave)
      leave()
      channel.close()
    }
  }, [id])
  return others
}
