/** The words of this room. */
export const words = {
  room: "Settings",
  workspace: {
    title: "Workspace",
    text: "For everybody who works here.",
    name: "Name",
    nameMissing: "Give it a name.",
    save: "Save the name",
    saved: "Saved"
  },
  zone: {
    label: "Time zone",
    list: "All time zones",
    unknown: "No place of this name. Try the nearest large city.",
    help: "The calendar, the queue and every time that is typed are in this zone.",
    title: (place: string) => `Change to ${place} time?`,
    posts: (before: string, after: string, from: string, to: string) =>
      `Planned posts go out at the same moment as before. One for ${before} ${from} time is shown at ${after} ${to} time.`,
    queue: (place: string) =>
      `The queue keeps its times on the clock: 09:00 is then 09:00 in ${place}. Posts that wait in it stay at their moment.`,
    ownQueue: (place: string) => `The queue has its own zone, ${place}, and stays as it is.`,
    confirm: (place: string) => `Use ${place} time`,
    keep: (place: string) => `Keep ${place} time`,
    otherClock: (place: string) =>
      `The clock of this computer is in ${place}. Point at a time to see it on that clock.`
  },
  browser: {
    title: "This browser",
    text: "Only for you, here.",
    theme: "Look",
    themes: { system: "As the system", light: "Light", dark: "Dark" },
    week: "The week begins on",
    weekOfLanguage: (weekday: string) => `${weekday}, as usual in your language`,
    weekdays: { 1: "Monday", 6: "Saturday", 7: "Sunday" },
    keys: "Letters alone do something",
    keysHelp: "Switch it off if you dictate, or press letters by accident."
  },
  keys: {
    title: "Keys",
    key: "Key",
    does: "What it does",
    list: [
      { keys: ["N"], does: "Write a post" },
      { keys: ["T"], does: "Calendar: today" },
      { keys: ["←", "→"], does: "Calendar: earlier and later" },
      { keys: ["1", "2", "3"], does: "Calendar: month, week, agenda" },
      { keys: ["Arrows"], does: "Go from post to post, and from day to day" },
      { keys: ["Enter"], does: "Open what has the focus" },
      { keys: ["M"], does: "Pick a post up: arrows carry it, Enter puts it down, Escape leaves it" },
      { keys: ["Ctrl or ⌘", "Z"], does: "Calendar: undo the last move" }
    ]
  },
  notSaved: (why: string) => `Not saved. ${why}`
} as const
