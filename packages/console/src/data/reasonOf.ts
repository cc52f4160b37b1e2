/** Why something failed, as a sentence: the service's own, or that of whatever broke. */
export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
