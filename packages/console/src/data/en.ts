/** What is said of every act. */
export const words = {
  undo: "Undo",
  notSaved: "Not saved",
  retry: "Try again",
  noConnection: (failed: string) => `${failed}: no connection`,
  refused: (failed: string, why: string) => `${failed}. ${why}`
} as const
