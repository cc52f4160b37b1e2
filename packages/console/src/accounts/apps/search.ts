/** What the service adds when it leads back from connecting. */
export interface AppSearch {
  readonly status?: "connected" | "failed"
  readonly message?: string
}

export const appSearch = ({ message, status }: Record<string, unknown>): AppSearch => ({
  ...(status === "connected" || status === "failed" ? { status } : {}),
  ...(typeof message === "string" ? { message } : {})
})
