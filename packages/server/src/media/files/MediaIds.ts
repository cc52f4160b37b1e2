import { MediaId, problem } from "@carillon/domain"
import { Effect, Schema } from "effect"

const isMediaId = Schema.is(MediaId)

/** null for text that cannot be an id: such an item does not exist. */
export const toMediaId = (text: string): MediaId | null => {
  const lower = text.toLowerCase()
  return isMediaId(lower) ? lower : null
}

/** Those that can be ids. */
export const toMediaIds = (texts: ReadonlyArray<string>): ReadonlyArray<MediaId> =>
  texts.flatMap((text) => toMediaId(text) ?? [])

export const noSuchItem = (id: string) =>
  Effect.fail(problem("not_found", `There is no media item ${JSON.stringify(id)} in this workspace.`))
