import { CarillonError, type ProblemItem } from "@carillon/sdk"

/** The problems that the service found with a post; none: it refused for another reason. */
export const refusedItems = (error: unknown): ReadonlyArray<ProblemItem> => {
  if (!(error instanceof CarillonError)) return []
  if (error.errors.length > 0) return error.errors
  const isOfQueue = error.code === "queue_full" || error.code === "queue_not_configured"
  return isOfQueue ? [{ path: "use_queue", code: error.code, message: error.message }] : []
}
