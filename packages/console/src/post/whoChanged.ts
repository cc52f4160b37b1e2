import type { Post } from "@carillon/sdk"
import { shortDay, wallClock } from "../time/zone.ts"
import { clashWords as words } from "./clashWords.ts"

interface Here {
  /** The name of the signed-in member. */
  readonly me: string
  readonly now: number
  readonly zone: string
}

/** Who changed a post last and when: a sentence without its full stop. */
export const whoChanged = ({ updated_by }: Pick<Post, "updated_by">, { me, now, zone }: Here): string => {
  if (updated_by === null) return words.somebody
  const { at, name, type } = updated_by
  const { day, time } = wallClock(new Date(at), zone)
  const when =
    day === wallClock(new Date(now), zone).day ? words.today(time) : words.before(shortDay(day), time)
  if (type === "member" && name === me) return words.you(when)
  const who = type === "key" ? (name === null ? words.service : words.key(name)) : name
  return who === null ? words.somebody : words.by(who, when)
}
