import type { MediaError } from "@carillon/domain"

/** How the warning about a media item that could not be fetched begins. */
export const unfetched = (id: string) => `The media item ${id} could not be fetched`

/** The warning of a scheduled post that waits for such an item. */
export const unfetchedWarning = (id: string, { message }: MediaError) =>
  `${unfetched(id)} and is tried again each hour and five minutes before the post's time. ${message}`

/** The item that a warning says was not fetched; undefined: it says something else. */
export const unfetchedItem = (warning: string): string | undefined =>
  /^The media item (\S+) could not be fetched/.exec(warning)?.[1]
