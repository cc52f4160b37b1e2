/** Reconnects an account. */
export const reconnectPath = (account: number) => `/accounts?reconnect=${account}`
