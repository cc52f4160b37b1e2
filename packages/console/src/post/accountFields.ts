/** The names of the fields of accounts, by which a problem leads to one. */
export const accountFields = {
  accounts: "accounts",
  account: (id: number) => `account ${id}`
}
