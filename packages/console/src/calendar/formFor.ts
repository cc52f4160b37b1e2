const heights = { high: 58, low: 46, line: 24 } as const
const gap = 4
/** The number of the day, and padding. */
const aroundTiles = 32

/** The tallest form in which a day fits, and how many of its posts and slots are shown. */
export const formFor = (height: number, posts: number, slots: number) => {
  const room = height - aroundTiles + gap
  const slotsTake = slots * (heights.line + gap)
  for (const form of ["high", "low", "line"] as const) {
    if (posts * (heights[form] + gap) + slotsTake <= room) return { form, posts, slots }
  }
  const lines = Math.max(Math.floor(room / (heights.line + gap)), 1)
  // One line says how many more posts there are.
  return { form: "line", posts: Math.min(posts, Math.max(lines - 1, 1)), slots: 0 } as const
}
