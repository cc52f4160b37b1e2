import { type Day, isDay } from "../time/days.ts"

/** The search parameters of the queue: a day of the week to show. Default: this week. */
export interface QueueSearch {
  readonly date?: Day
}

export const queueSearch = ({ date }: Record<string, unknown>): QueueSearch => (isDay(date) ? { date } : {})
