export interface Planned {
  readonly count: number
  /** When the first of them goes out; null: as soon as it can. */
  readonly next: string | null
}

export type PlannedByAccount = ReadonlyMap<number, Planned>

interface Post {
  readonly social_accounts: ReadonlyArray<number>
  readonly scheduled_at: string | null
}

export const plannedByAccount = (posts: Iterable<Post>): PlannedByAccount => {
  const planned = new Map<number, Planned>()
  for (const { scheduled_at, social_accounts } of posts) {
    for (const id of social_accounts) {
      const before = planned.get(id)
      planned.set(id, {
        count: (before?.count ?? 0) + 1,
        next: before === undefined ? scheduled_at : earlier(before.next, scheduled_at)
      })
    }
  }
  return planned
}

const earlier = (a: string | null, b: string | null) => (a === null || b === null ? null : a < b ? a : b)
