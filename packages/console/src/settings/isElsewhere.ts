import { CarillonError } from "@carillon/sdk"

/** Whether something of the whole instance was asked for outside its first workspace. */
export const isElsewhere = (error: Error | null) =>
  error instanceof CarillonError && error.code === "default_workspace_only"
