import { carillon } from "./api.ts"
import { words } from "./en.ts"
import { useAct } from "./useAct.ts"

/** Changes the workspace. The page, which holds its name and its zone, is loaded again. */
export const useWorkspaceChange = () => {
  const { act, busy } = useAct()
  return {
    isSaving: busy !== null,
    change: (changes: Parameters<typeof carillon.profile.update>[0]) =>
      act("workspace", {
        do: async () => {
          await carillon.profile.update(changes)
          location.reload()
        },
        failed: words.notSaved
      })
  }
}
