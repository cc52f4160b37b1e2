export const words = {
  title: "What do you think of this post?",
  asks: (workspace: string) => `${workspace} asks you before it goes out.`,
  when: {
    scheduled: (when: string, place: string) => `It is to go out ${when} (${place} time).`,
    none: "It has no time yet.",
    out: "It has gone out, so it can no longer be answered."
  },
  loading: "Opening the post",
  failed: "The post could not be read. Check your connection.",
  again: "Try again",
  dead: {
    title: "This link does not work",
    text: "It has expired or was taken back, the post was deleted, or the address was not copied completely. Ask whoever sent it for a new one."
  },
  posts: "The post",
  changed: "The post has changed since you looked. This is how it is now. Look again, then answer.",
  answer: "Your answer",
  name: "Your name",
  nameMissing: "Enter your name.",
  comment: "Comment",
  commentHelp: "What should change, or anything else.",
  commentMissing: "Write the comment first.",
  commentLong: (most: number) => `Use at most ${most} characters.`,
  yes: "Yes, as it is",
  no: "No, not like this",
  only: "Send only the comment",
  yesApproves: "Your yes lets it go out.",
  yesTells: (workspace: string) => `${workspace} reads your answer and decides.`,
  isApproved: "It is approved. You can still write.",
  sent: {
    yes: "Your yes is sent.",
    no: "Your no is sent.",
    comment: "Your comment is sent."
  },
  approved: "Your yes is sent, and the post is approved.",
  notSent: "Your answer was not sent. Check your connection and send it again.",
  full: "This post takes no more answers. Tell whoever sent you the link in another way.",
  tooMany: "There were too many requests from your network. Wait a minute, then send it again.",
  said: "What was said",
  saidYes: "Yes",
  saidNo: "No",
  earlier: "of an earlier version"
}
