/** What the service adds to the address on the way back. */
export interface AppSearch {
  readonly status?: "connected" | "failed"
  readonly message?: string
  /** A connection that waits for a choice between accounts. */
  readonly pending?: string
}

export const appSearch = ({ message, pending, status }: Record<string, unknown>): AppSearch => ({
  ...(status === "connected" || status === "failed" ? { status } : {}),
  ...(typeof message === "string" ? { message } : {}),
  ...(typeof pending === "string" ? { pending } : {})
})
