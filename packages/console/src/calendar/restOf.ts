import type { CalendarDay, CalendarPost, PostStatus } from "@carillon/sdk"
import { type PostState, stateOf } from "../post/PostState.ts"

/** The state of a post of which no more than its status is known. */
const usualState = {
  failed: "failed",
  draft: "draft",
  published: "sent",
  scheduled: "planned"
} as const satisfies Record<PostStatus, PostState>

const order = Object.keys({
  planned: 0,
  going: 0,
  sent: 0,
  draft: 0,
  approval: 0,
  doubt: 0,
  blocked: 0,
  failed: 0
} satisfies Record<PostState, 0>) as ReadonlyArray<PostState>

const inOrder = (counts: ReadonlyMap<PostState, number>) =>
  order.flatMap((state) => {
    const count = counts.get(state)
    return count === undefined ? [] : [{ state, count }]
  })

/** How many posts have each state; those that need somebody come last. */
export const statesOf = (rows: ReadonlyArray<CalendarPost>) => {
  const counts = new Map<PostState, number>()
  for (const row of rows) counts.set(stateOf(row), (counts.get(stateOf(row)) ?? 0) + 1)
  return inOrder(counts)
}

/** How many posts of a day are not shown, by state. */
export const restOf = ({ by_status, posts, total }: CalendarDay, shown: ReadonlyArray<CalendarPost>) => {
  const counts = new Map<PostState, number>()
  let left = Math.max(total - shown.length, 0)
  const add = (state: PostState, count: number) => {
    const taken = Math.min(Math.max(count, 0), left)
    left -= taken
    if (taken > 0) counts.set(state, (counts.get(state) ?? 0) + taken)
  }
  for (const row of posts) if (!shown.includes(row)) add(stateOf(row), 1)
  for (const [status, state] of Object.entries(usualState) as Array<[PostStatus, PostState]>)
    add(state, by_status[status] - posts.filter((row) => row.status === status).length)
  // A move is shown before its days are counted anew.
  add("planned", left)
  return inOrder(counts)
}

export type Rest = ReturnType<typeof statesOf>

const mostTicks = 8

/** The states of a row of ticks: one for each post, or fewer that keep each state. */
export const ticksOf = (rest: Rest): ReadonlyArray<PostState> => {
  const total = rest.reduce((sum, { count }) => sum + count, 0)
  const share = Math.min(mostTicks / total, 1)
  const counts = rest.map(({ count }) => Math.max(Math.floor(count * share), 1))
  for (let excess = counts.reduce((sum, count) => sum + count, 0) - mostTicks; excess > 0; excess--)
    counts[counts.indexOf(Math.max(...counts))]!--
  return rest.flatMap(({ state }, index) => Array.from({ length: counts[index]! }, () => state))
}
