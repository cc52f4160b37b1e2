import { CarillonError, ConnectionError } from "@carillon/sdk"
import { words } from "./en.ts"

/** What went wrong, for a person: the first problem that the service names. */
export const problemSentence = (error: unknown): string => {
  if (error instanceof ConnectionError) return words.noConnection
  if (!(error instanceof CarillonError)) return String(error)
  return error.errors[0]?.message ?? error.message
}
