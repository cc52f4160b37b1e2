/** Where an account is connected again. */
export const reconnecting = (account: number) => `/accounts?reconnect=${account}`
