/** The words of the page that hosts show. */
export const words = {
  waiting: "Waiting for the answer…",
  cancelled: "Cancelled.",
  notDone: (why: string) => `Not done. ${why}`,
  tryAgain: "Try again",
  more: "There are more posts than fit here. Ask for fewer days.",
  writeFor: (at: string, zone: string) => `I want to post something on ${at.replace("T", " at ")} (${zone}).`,
  moved: (day: string, time: string, draft: boolean) =>
    `Moved to ${day}, ${time}.${draft ? " It is still a draft." : ""}`,
  undo: "Undo",
  deleted: "Deleted.",
  scheduled: (at: string) => `Scheduled: it goes out ${at}.`,
  publishing: "It is going out now.",
  approval: "It is waiting for your approval in Carillon.",
  draft: "Saved as a draft.",
  again: "On its way again.",
  reading: "Checking each account…",
  open: "Open in Carillon",
  edit: "Edit in Carillon",
  approve: "Approve in Carillon",
  answer: "Answer in Carillon",
  schedule: "Schedule",
  publish: "Publish now",
  really: (count: number) =>
    `Publish to ${count === 1 ? "1 account" : `${count} accounts`} now? This cannot be undone.`,
  yes: "Yes, publish",
  no: "Not yet",
  saveDraft: "Save as draft",
  addFile: "Add a file",
  fileSent: "I sent the file",
  chooseFile: "Choose the file on the page that opened, then come back.",
  fileAdded: (name: string) => `${name} is added to the post.`,
  day: "Day",
  time: "Time",
  notATime: (example: string) => `That is not a time. Write one such as ${example}.`,
  when: (place: string) => `Day and time, ${place} time`,
  goesOut: {
    now: "Goes out as soon as it is created",
    later: (at: string, place: string) => `Goes out ${at}, ${place} time`,
    some: "Goes out later",
    never: "Stays a draft",
    refused: "Not ready to go out",
    approval: "Waiting for your approval"
  },
  refused: "It cannot go out like this. Ask in the chat for a correction, or save it as a draft.",
  count: (length: number, limit: number, unit: string) => `${length} of ${limit} ${unit}`,
  fetched: "Fetched when the post is created:",
  preview: "Preview of the post",
  /** For problems, by code, whose own sentences name fields. */
  plainly: {
    scheduled_at_past: "That time has passed. Choose another.",
    scheduled_at_invalid: "That is not a valid day and time. Choose again."
  } as Readonly<Record<string, string>>,
  problems: "What is wrong",
  warnings: "Good to know"
} as const
