import type { PlatformId } from "@carillon/sdk"
import type { Level } from "./Form.ts"
import { optionOf } from "./options/optionOf.ts"
import type { Placed } from "./problems.ts"

interface Target {
  readonly selector: string
  /** What has to be shown for that. */
  readonly level?: Level
  readonly owner?: PlatformId | number | undefined
}

/** Where a problem is mended. */
export const targetOf = ({ place }: Placed): Target => {
  switch (place.on) {
    case "accounts":
      return {
        selector:
          place.account === null
            ? ".account-chip"
            : `[data-anchor="account:${CSS.escape(String(place.account))}"]`
      }
    case "text":
      return { level: place.level, selector: '[data-anchor="text"]' }
    case "thread":
      return {
        level: place.level,
        selector:
          place.item === null
            ? ".networks label, .thread .link"
            : `[data-thread="${place.level}"] [data-item="${place.item}"] ${place.media === null ? "textarea" : `[data-anchor="media:${place.media}"]`}`
      }
    case "time":
      return { selector: '[data-anchor="time"]' }
    case "media":
      return {
        level: place.level,
        selector: `[data-anchor="${place.media === null ? "media" : `media:${place.media}`}"]`
      }
    case "option":
      return {
        owner: place.account ?? place.platform,
        selector: `[data-option="${CSS.escape(optionOf(place.path))}"] :is(input, select, textarea, button)`
      }
  }
}
