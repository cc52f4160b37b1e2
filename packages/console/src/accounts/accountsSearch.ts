/** The accounts page in the address. */
export interface AccountsSearch {
  /** The dialog for connecting: `choose`, or a network. */
  readonly connect?: string
  /** The account to reconnect. */
  readonly reconnect?: number
  /** A permission to ask for. */
  readonly allow?: string
  /** The journey that ended here. The service has added the parameters below. */
  readonly connected?: string
  readonly status?: "connected" | "failed" | "pending"
  readonly social_account_id?: ReadonlyArray<number>
  /** A connection that waits for the person to choose accounts. */
  readonly pending?: string
  readonly error?: string
  readonly message?: string
  /** The workspace, for members of several. */
  readonly w?: string
}

const text = (value: unknown) =>
  typeof value === "string" && value !== ""
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined

const ids = (value: unknown) => [value].flat().map(Number).filter(Number.isSafeInteger)

export const accountsSearch = (given: Record<string, unknown>): AccountsSearch => {
  const { reconnect, social_account_id, status, w } = given
  const [id] = reconnect === undefined ? [] : ids(reconnect)
  const named = (name: "allow" | "connect" | "connected" | "error" | "message" | "pending") => {
    const value = text(given[name])
    return value === undefined ? {} : { [name]: value }
  }
  return {
    ...named("connect"),
    ...(id === undefined ? {} : { reconnect: id }),
    ...named("allow"),
    ...named("connected"),
    ...(status === "connected" || status === "failed" || status === "pending" ? { status } : {}),
    ...(social_account_id === undefined ? {} : { social_account_id: ids(social_account_id) }),
    ...named("pending"),
    ...named("error"),
    ...named("message"),
    ...(typeof w === "string" ? { w } : {})
  }
}
