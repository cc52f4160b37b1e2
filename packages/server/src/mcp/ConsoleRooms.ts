/** The addresses at which a person does what no tool does. */
export const consoleRooms = (publicUrl: string) => ({
  accounts: `${publicUrl}/app/accounts`,
  queue: `${publicUrl}/app/queue`,
  activity: `${publicUrl}/app/activity`,
  library: `${publicUrl}/app/library`,
  settings: `${publicUrl}/app/settings`,
  connectedApps: `${publicUrl}/connected-apps`,
  approvals: `${publicUrl}/approvals`,
  post: (id: string) => `${publicUrl}/app/posts/${id}`,
  approval: (id: string) => `${publicUrl}/approvals/${id}`
})
