/** The words that parts of pages say by themselves. */
export const words = {
  choose: "Choose",
  again: "Try again",
  loading: "Loading",
  request: (id: string) => `Request ${id}`,
  messages: "Messages",
  newTab: "opens in a new tab"
} as const
