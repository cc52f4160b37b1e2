/** The words for a change that somebody else was first with. */
export const clashWords = {
  by: (who: string, when: string) => `${who} changed it ${when}`,
  you: (when: string) => `You changed it elsewhere ${when}`,
  key: (name: string) => `The key “${name}”`,
  service: "The service’s own key",
  somebody: "Somebody changed it",
  today: (time: string) => `at ${time}`,
  before: (day: string, time: string) => `on ${day}, ${time}`
} as const
