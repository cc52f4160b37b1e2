import type { Post } from "@carillon/sdk"
import { words } from "./en.ts"
import { moment } from "./moment.ts"

interface Here {
  /** The name of the member who reads it. */
  readonly me: string
  readonly now: number
  readonly zone: string
}

/** Who changed a post last, and when, as a sentence without its full stop. */
export const whoChanged = ({ updated_by }: Pick<Post, "updated_by">, { me, now, zone }: Here): string => {
  if (updated_by === null) return words.changed.somebody
  const { at, name, type } = updated_by
  const when = moment(at, now, zone)
  if (type === "member" && name === me) return words.changed.you(when)
  const who = type === "key" ? (name === null ? words.changed.service : words.changed.key(name)) : name
  return who === null ? words.changed.somebody : words.changed.by(who, when)
}
