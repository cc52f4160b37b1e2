/** The words of this room. */
export const words = {
  previous: "Previous week",
  next: "Next week",
  toNow: "Back to now",
  zone: (place: string) => `${place} time`,
  counts: (times: number, taken: number, free: number) =>
    `${times === 1 ? "1 slot" : `${times} slots`} a week · ${taken} taken, ${free} free`,
  addTime: "Add a slot",
  addTo: (day: string) => `Add a slot on ${day}`,
  free: "free",
  taken: "taken",
  past: "past",
  write: "Write",
  writeAt: (when: string) => `Write a post for ${when}`,
  menu: (when: string) => `Slot ${when}`,
  change: "Change this slot…",
  remove: (weekday: string, time: string) => `Remove ${weekday} ${time}`,
  move: "Move the post…",
  timeDialog: {
    add: "Add a slot",
    change: (time: string) => `Change ${time}`,
    on: "On",
    noTime: "Enter a time, such as 09:00.",
    noDay: "Choose at least one day.",
    isThere: "The queue already has this slot on these days.",
    keeps: "Posts already scheduled keep their time.",
    save: "Save",
    cancel: "Cancel"
  },
  added: (time: string) => `${time} added`,
  changed: (time: string) => `${time} changed. Posts already scheduled keep their time.`,
  removed: (weekday: string, time: string) => `${weekday} ${time} removed`,
  removedWithPost: (weekday: string, time: string) =>
    `${weekday} ${time} removed. Its post still goes out and stays in the calendar.`,
  jitterOn: (minutes: number) => `Times vary by up to ${minutes} minutes`,
  jitterOff: "Posts go out at the exact time",
  zoneFollows: (place: string) => `The queue uses ${place} time`,
  undone: "Change undone",
  notSaved: "Not saved",
  moveDialog: {
    title: "Move to",
    to: "Queue slot",
    swap: (text: string) => `It swaps places with “${text}”.`,
    taken: (when: string, text: string) =>
      `${when}, with “${text.length > 24 ? `${text.slice(0, 22)}…` : text}”`,
    move: "Move",
    exchange: "Swap places",
    cancel: "Cancel"
  },
  moved: (when: string) => `Moved to ${when}`,
  exchanged: (text: string) => `It swapped places with “${text}”`,
  movedBack: "Moved back",
  carry: {
    free: (when: string) => `${when}, free`,
    taken: (when: string, text: string) => `${when}, swaps places with ${text}`
  },
  nextFree: "Next free slots",
  noneFree: "Every slot in the next 90 days is taken.",
  today: "Today",
  tomorrow: "Tomorrow",
  rules: {
    title: "Rules",
    zone: "Time zone",
    workspaceZone: (place: string) => `${place} time, as in the rest of the workspace.`,
    ownZone: (place: string) => `${place} time. The workspace has another.`,
    follow: (place: string) => `Use ${place} time`,
    changeZone: "Change it",
    vary: "Vary each time a little",
    by: "By up to",
    minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
    text: "A slot holds one post. A post added to the queue takes the next free slot. A post that you move goes out at exactly its new time."
  },
  empty: {
    title: "The queue has no slots yet",
    text: "Add weekly slots, and each queued post takes the next free one."
  },
  failedToLoad: "The queue did not load"
} as const
