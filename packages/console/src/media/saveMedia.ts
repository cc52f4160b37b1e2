import type { UpdateMedia } from "@carillon/sdk"
import { carillon } from "../data/api.ts"
import { mediaChanged } from "../data/media.ts"
import { act } from "../data/useAct.ts"
import { words } from "./en.ts"

/** The longest description that the service accepts. */
export const longestDescription = 2_000

/** Renames or describes a file everywhere. Resolves to whether it was saved. */
export const saveMedia = (id: string, changes: UpdateMedia) =>
  act({
    do: async () => mediaChanged(await carillon.media.update(id, changes)),
    failed: words.drawer.notSaved
  })

export const describeMedia = (id: string, text: string) =>
  saveMedia(id, { alt_text: text === "" ? null : text })
