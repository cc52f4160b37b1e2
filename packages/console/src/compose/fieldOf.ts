import type { PlatformId } from "@carillon/sdk"
import { accountFields } from "../post/accountFields.ts"
import type { Level } from "./Form.ts"
import { optionOf } from "./options/optionOf.ts"
import type { Placed } from "./problems.ts"

/** The names of the fields as they register themselves. */
export const fieldNames = {
  ...accountFields,
  text: (level: Level) => `text ${level}`,
  media: (level: Level) => `media ${level}`,
  file: (field: string, id: string) => `${field} ${id}`,
  thread: "thread",
  item: (level: Level, index: number) => `thread ${level} ${index}`,
  itemMedia: (level: Level, index: number) => `thread ${level} ${index} media`,
  option: (owner: PlatformId | number, name: string) => `option ${owner} ${name}`,
  time: "time",
  when: "when"
}

interface Target {
  readonly field: string
  /** What has to be shown for that. */
  readonly level?: Level
  readonly owner?: PlatformId | number
}

const fileOr = (field: string, id: string | null) => (id === null ? field : fieldNames.file(field, id))

/** The field in which a problem is mended. */
export const fieldOf = ({ place }: Placed): Target => {
  switch (place.on) {
    case "accounts":
      return { field: place.account === null ? fieldNames.accounts : fieldNames.account(place.account) }
    case "text":
      return { level: place.level, field: fieldNames.text(place.level) }
    case "thread": {
      const { item, level, media } = place
      if (item === null) return { level, field: fieldNames.thread }
      return {
        level,
        field:
          media === null
            ? fieldNames.item(level, item)
            : fieldNames.file(fieldNames.itemMedia(level, item), media)
      }
    }
    case "time":
      return { field: fieldNames.time }
    case "media":
      return { level: place.level, field: fileOr(fieldNames.media(place.level), place.media) }
    case "option": {
      const owner = place.account ?? place.platform
      return { owner, field: fieldNames.option(owner, optionOf(place.path)) }
    }
  }
}
