export interface Scheduled {
  readonly count: number
  /** When the first of them goes out; null: as soon as it can. */
  readonly next: string | null
}

export type ScheduledByAccount = ReadonlyMap<number, Scheduled>

interface Post {
  readonly social_accounts: ReadonlyArray<number>
  readonly scheduled_at: string | null
}

export const scheduledByAccount = (posts: Iterable<Post>): ScheduledByAccount => {
  const scheduled = new Map<number, Scheduled>()
  for (const { scheduled_at, social_accounts } of posts) {
    for (const id of social_accounts) {
      const before = scheduled.get(id)
      scheduled.set(id, {
        count: (before?.count ?? 0) + 1,
        next: before === undefined ? scheduled_at : earlier(before.next, scheduled_at)
      })
    }
  }
  return scheduled
}

const earlier = (a: string | null, b: string | null) => (a === null || b === null ? null : a < b ? a : b)
