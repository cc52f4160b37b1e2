import { CarillonError, ConnectionError } from "@carillon/sdk"
import { carillon, queries, signInAgain } from "../api.ts"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { type Found, needsKey } from "./useNeeds.ts"

const dismiss = async (results: ReadonlyArray<string>, dismissed: boolean) => {
  try {
    await Promise.all(results.map((id) => carillon.results.dismiss(id, dismissed)))
    return true
  } catch (error) {
    signInAgain(error)
    toast({
      icon: "cross",
      text:
        error instanceof ConnectionError
          ? words.failed.noConnection
          : error instanceof CarillonError
            ? error.message
            : String(error)
    })
    return false
  } finally {
    void queries.invalidateQueries({ queryKey: needsKey })
  }
}

/** Leaves failures as they are, for everybody of the workspace, and says how that is taken back. */
export const leaveAsItIs = async (results: ReadonlyArray<string>) => {
  await queries.cancelQueries({ queryKey: needsKey })
  queries.setQueriesData<Found>(
    { queryKey: needsKey },
    (found) => found && { ...found, results: found.results.filter(({ id }) => !results.includes(id)) }
  )
  if (await dismiss(results, true))
    toast({
      icon: "check",
      text: words.failed.left,
      action: { label: words.failed.undo, act: () => void dismiss(results, false) }
    })
}
