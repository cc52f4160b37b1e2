/** The words for a post that waits for a person's approval. */
export const approvalWords = {
  approve: "Approve",
  approveWhen: "Approve…",
  refuse: "Refuse…",
  look: "Look at it",
  asks: {
    now: (who: string) => `${who} asks to publish this at once.`,
    queue: (who: string) => `${who} asks to publish this at the queue’s next free slot.`,
    scheduled: (who: string, at: string) => `${who} asks to publish this ${at}.`
  },
  approved: {
    now: "Approved. It is on its way",
    at: (at: string) => `Approved. It goes out ${at}`
  },
  refused: "Refused. It stays a draft",
  notApproved: "Not approved",
  notRefused: "Not refused",
  first: {
    approved: (who: string, at: string) => `${who} approved it first: ${at}`,
    refused: (who: string, at: string) => `${who} refused it first: ${at}`
  },
  somebody: "Somebody",
  changed: (why: string) => `Nothing decided: ${why}. Look at it again.`,
  needsTime: "Choose when it goes out: an approval alone publishes nothing at once",
  chooseTime: "Choose",
  when: {
    title: "When does it go out?",
    now: (who: string) => `${who} asks to publish it at once.`,
    past: (who: string, at: string) => `The time that ${who} asked for has passed: ${at}.`,
    time: (zone: string) => `Day and time, ${zone}`,
    isPast: "This time has passed. Choose a later one.",
    cancel: "Cancel",
    publish: "Publish now",
    queue: "Next queue slot",
    confirm: "Approve for this time"
  },
  why: {
    title: "Refuse this post?",
    text: (who: string, isApp: boolean) =>
      `It stays a draft. ${who} reads your reason${isApp ? ", and asks again with its next change" : ""}.`,
    reason: "Reason",
    help: "Optional.",
    long: (most: number) => `This is too long. Use at most ${most} characters.`,
    cancel: "Cancel",
    confirm: "Refuse"
  }
} as const
