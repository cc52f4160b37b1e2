import { type Day, isDay } from "../time/days.ts"

/** What the address says of the queue: a day of the week that is shown, this week if it is absent. */
export interface QueueSearch {
  readonly date?: Day
}

export const queueSearch = ({ date }: Record<string, unknown>): QueueSearch => (isDay(date) ? { date } : {})
