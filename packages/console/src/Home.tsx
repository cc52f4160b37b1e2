import { useSearch } from "@tanstack/react-router"
import { Suspense, useEffect, useState } from "react"
import type { PostSummary } from "@carillon/sdk"
import { workspace } from "./data/api.ts"
import { words } from "./en.ts"
import { isOwner } from "./data/may.ts"
import { Calendar } from "./calendar/Calendar.tsx"
import { firstSteps, keepFirstSteps } from "./data/preferences.ts"
import { later } from "./ui/later.ts"
import { toast } from "./ui/toast.ts"
import { beginsHere, firstPostOf } from "./welcome/stepOf.ts"
import { useNewestPosts } from "./data/posts.ts"

const Checklist = later(() => import("./welcome/Checklist.tsx"), "Checklist")

const soon = 2 * 60_000

const isNear = (posts: ReadonlyArray<PostSummary>) => {
  const first = firstPostOf(posts, Date.now())
  return (
    first.state === "going" ||
    (first.state === "planned" && Date.parse(first.post.scheduled_at!) - Date.now() < soon)
  )
}

const keep = (state: "begun" | "over") => keepFirstSteps(workspace.id, state)

/** The calendar, or the first steps on a new instance. */
export const Home = () => {
  // Read once when the page opens: the finished checklist stays until the person goes on.
  const [kept] = useState(() => firstSteps(workspace.id))
  const { w: _, ...asked } = useSearch({ from: "/" })
  const [asksForCalendar] = useState(Object.keys(asked).length > 0)
  const [shown, setShown] = useState(() =>
    beginsHere({ kept, isOwner, hasPosts: workspace.has_posts, asksForCalendar })
  )
  const { data: posts, dataUpdatedAt, error } = useNewestPosts(shown, isNear)
  const first = posts && firstPostOf(posts, dataUpdatedAt)
  const isOut = first?.state === "out"

  useEffect(() => {
    if (asksForCalendar) return
    if (!shown || posts !== undefined) keep(shown && !isOut ? "begun" : "over")
  }, [asksForCalendar, posts, shown, isOut])

  if (!shown || (error !== null && posts === undefined)) return <Calendar />
  const waiting = <div aria-busy="true" />
  if (first === undefined) return waiting

  const hide = () => {
    keep("over")
    setShown(false)
    toast({
      icon: "check",
      text: words.firstSteps.hidden,
      action: { label: words.firstSteps.undo, act: () => setShown(true) }
    })
  }
  return (
    <Suspense fallback={waiting}>
      <Checklist first={first} onHide={hide} onGoOn={() => setShown(false)} />
    </Suspense>
  )
}
