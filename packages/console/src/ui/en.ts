/** The words that parts of pages say by themselves. */
export const words = {
  choose: "Choose",
  again: "Try again",
  partMissing: "A part of this page did not load, perhaps after an update.",
  reload: "Reload",
  copy: "Copy",
  copied: "Copied",
  copyByHand: "Selected. Copy it with Ctrl+C, or ⌘C on a Mac.",
  loading: "Loading",
  request: (id: string) => `Request ${id}`,
  messages: "Messages",
  newTab: "opens in a new tab"
} as const
