import { lazy, Suspense, useEffect, useState } from "react"
import { workspace } from "../api.ts"
import { boot } from "../boot.ts"
import { Calendar } from "../calendar/Calendar.tsx"
import { firstSteps, keepFirstSteps } from "../preferences.ts"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { beginsHere, firstPostOf } from "./steps.ts"
import { useFirstPosts } from "./useFirstPosts.ts"

const Checklist = lazy(() => import("./Checklist.tsx"))

const keep = (state: "begun" | "over") => keepFirstSteps(workspace.id, state)

const isOwner = boot.member.role === "owner"

/** The calendar, or on a new instance what comes before there is something in it. */
export const Home = () => {
  // What it was when this page was opened: the end of it stays on the screen until the person goes on.
  const [kept] = useState(() => firstSteps(workspace.id))
  const [shown, setShown] = useState(() => beginsHere({ kept, isOwner, hasPosts: workspace.has_posts }))
  const { data: posts, error } = useFirstPosts(shown)
  const first = posts && firstPostOf(posts, Date.now())
  const isOut = first?.state === "out"

  useEffect(() => {
    if (!shown || posts !== undefined) keep(shown && !isOut ? "begun" : "over")
  }, [posts, shown, isOut])

  if (!shown || (error !== null && posts === undefined)) return <Calendar />
  const waiting = <div className="bar" aria-busy="true" />
  if (first === undefined) return waiting

  const hide = () => {
    keep("over")
    setShown(false)
    toast({
      icon: "check",
      text: words.hidden,
      action: { label: words.undo, act: () => setShown(true) }
    })
  }
  return (
    <Suspense fallback={waiting}>
      <Checklist first={first} onHide={hide} onGoOn={() => setShown(false)} />
    </Suspense>
  )
}
