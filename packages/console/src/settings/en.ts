/** The words of this room. */
export const words = {
  workspace: {
    title: "Workspace",
    text: "For everybody who works here.",
    name: "Name",
    nameMissing: "Enter a name.",
    save: "Save the name",
    saved: "Saved"
  },
  zone: {
    label: "Time zone",
    list: "All time zones",
    unknown: "No place has this name. Try the nearest large city.",
    help: "The calendar, the queue and every time that you enter use this zone.",
    title: (place: string) => `Change to ${place} time?`,
    posts: (before: string, after: string, from: string, to: string) =>
      `Scheduled posts go out at the same moment as before. One for ${before} ${from} time is shown at ${after} ${to} time.`,
    queue: (place: string) =>
      `The queue’s slots keep their clock time: 09:00 is then 09:00 in ${place}. Posts already in the queue go out at the same moment as before.`,
    ownQueue: (place: string) => `The queue has its own zone, ${place}, and stays as it is.`,
    confirm: (place: string) => `Use ${place} time`,
    keep: (place: string) => `Keep ${place} time`,
    otherClock: (place: string) =>
      `This computer’s clock is in ${place}. Point at a time to see it on that clock.`
  },
  browser: {
    title: "This browser",
    text: "Only for you.",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark" },
    week: "The week begins on",
    weekOfLanguage: (weekday: string) => `${weekday}, as usual in your language`,
    weekdays: { 1: "Monday", 6: "Saturday", 7: "Sunday" },
    keys: "Single-letter shortcuts",
    keysHelp: "Switch them off if you dictate or press letters by accident."
  },
  keys: {
    title: "Keyboard shortcuts",
    key: "Key",
    does: "What it does",
    list: [
      { keys: ["N"], does: "Write a post" },
      { keys: ["T"], does: "Calendar: today" },
      { keys: ["←", "→"], does: "Calendar: earlier and later" },
      { keys: ["1", "2", "3", "4"], does: "Calendar: 4 weeks, month, week, agenda" },
      { keys: ["Arrows"], does: "Move from post to post and from day to day" },
      { keys: ["Enter"], does: "Open the selected item" },
      { keys: ["M"], does: "Pick up a post: arrows move it, Enter drops it, Escape cancels" },
      { keys: ["Ctrl or ⌘", "Z"], does: "Calendar: undo the last move" }
    ]
  }
} as const
