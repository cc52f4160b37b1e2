/** The words of this room. */
export const words = {
  room: "Queue",
  previous: "Previous week",
  next: "Next week",
  toNow: "Back to now",
  zone: (place: string) => `${place} time`,
  counts: (times: number, taken: number, free: number) =>
    `${times === 1 ? "1 time" : `${times} times`} a week · ${taken} taken, ${free} free`,
  addTime: "Add a time",
  time: "Time",
  addTo: (day: string) => `Add a time on ${day}`,
  free: "free",
  taken: "taken",
  past: "past",
  write: "Write",
  writeAt: (when: string) => `Write for ${when}`,
  menu: (when: string) => `The time ${when}`,
  change: "Change this time…",
  remove: (weekday: string, time: string) => `Remove ${weekday} ${time}`,
  move: "Move the post…",
  timeDialog: {
    add: "Add a time",
    change: (time: string) => `Change ${time}`,
    on: "On",
    noTime: "Give a time, such as 09:00.",
    noDay: "Choose at least one day.",
    isThere: "The queue has this time on these days already.",
    keeps: "Posts that are planned already stay at their moment.",
    save: "Save",
    cancel: "Cancel"
  },
  added: (time: string) => `${time} added`,
  changed: (time: string) => `${time} changed. Planned posts stay at their moment.`,
  removed: (weekday: string, time: string) => `${weekday} ${time} removed`,
  removedWithPost: (weekday: string, time: string) =>
    `${weekday} ${time} removed. The post in it goes out all the same: it is in the calendar.`,
  jitterOn: (minutes: number) => `Times vary by up to ${minutes} minutes`,
  jitterOff: "Posts go out at the exact time",
  zoneFollows: (place: string) => `The queue is on ${place} time`,
  undone: "As it was before",
  undo: "Undo",
  notSaved: (why: string) => `Not saved. ${why}`,
  moveDialog: {
    title: "Move to",
    to: "Time of the queue",
    swap: (text: string) => `It changes places with “${text}”.`,
    taken: (when: string, text: string) =>
      `${when}, with “${text.length > 24 ? `${text.slice(0, 22)}…` : text}”`,
    move: "Move",
    exchange: "Change places",
    cancel: "Cancel"
  },
  moved: (when: string) => `Moved to ${when}`,
  exchanged: (text: string) => `It changed places with “${text}”`,
  movedBack: "Moved back",
  carry: {
    picked: (text: string) =>
      `${text} picked up. Move it with the arrow keys, put it down with Enter, leave it with Escape.`,
    free: (when: string) => `${when}, free`,
    taken: (when: string, text: string) => `${when}, changes places with ${text}`,
    left: "It stays where it was."
  },
  nextFree: "Next free times",
  noneFree: "All times of the next 90 days are taken.",
  today: "Today",
  tomorrow: "Tomorrow",
  rules: {
    title: "Rules",
    zone: "Zone",
    workspaceZone: (place: string) => `${place} time, as in the whole workspace.`,
    ownZone: (place: string) => `${place} time. The workspace has another.`,
    follow: (place: string) => `Use ${place} time`,
    changeZone: "Change it",
    vary: "Vary each time a little",
    by: "By up to",
    minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
    text: "A time holds one post, and a new post of the queue takes the next free one. A post that you move goes out at exactly its new time."
  },
  empty: {
    title: "The queue has no times yet",
    text: "Give it times of the week, and a post can take the next free one by itself."
  },
  failedToLoad: "The queue did not load"
} as const
