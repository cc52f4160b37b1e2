/** Where an account is connected again. */
export const reconnectPath = (account: number) => `/accounts?reconnect=${account}`
