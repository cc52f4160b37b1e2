import { CarillonError, type UpdateMedia } from "@carillon/sdk"
import { carillon, signInAgain } from "../data/api.ts"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { mediaChanged } from "../data/media.ts"

/** The longest description that the service takes. */
export const longestDescription = 2_000

/** Names or describes a file, and shows it everywhere. */
export const saveMedia = async (id: string, changes: UpdateMedia) => {
  try {
    mediaChanged(await carillon.media.update(id, changes))
  } catch (error) {
    signInAgain(error)
    toast({
      icon: "warning",
      text: words.drawer.notSaved(error instanceof CarillonError ? error.message : String(error))
    })
    throw error
  }
}

export const describeMedia = (id: string, text: string) =>
  saveMedia(id, { alt_text: text === "" ? null : text })
