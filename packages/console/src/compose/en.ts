/** The words of this room. */
export const words = {
  newPost: "New post",
  editPost: "Edit post",
  repair: {
    title: "Repair",
    of: (accounts: ReadonlyArray<string>) =>
      `This goes out instead of what failed on ${new Intl.ListFormat("en").format(accounts)}.`,
    show: "See what failed"
  },
  back: "Back",
  draft: "Draft",
  scheduled: "Scheduled",
  saving: "Saving…",
  saved: (time: string) => `Saved ${time}`,
  notSaved: "Not saved yet",
  keptHere: "Kept in this browser",
  more: "More",
  remove: "Delete…",
  duplicate: "Duplicate",
  loading: "Loading the post",
  failedToLoad: "The post did not load",
  parts: {
    accounts: "Accounts",
    text: "Text",
    media: "Media",
    thread: "Thread",
    options: "Options",
    preview: "Preview",
    when: "When"
  },
  change: "Change",
  noAccounts: {
    title: "No account is connected yet",
    text: "Posts go out to accounts. Connect one to choose it here.",
    connect: "Connect an account"
  },
  stillUploading: (count: number) =>
    count === 1
      ? "A file is still uploading. Send the post when it is done."
      : `${count} files are still uploading. Send the post when they are done.`,
  chooseAccounts: "Choose the accounts that the post goes out to.",
  moreAccounts: (count: number, chosen: number) =>
    chosen === 0 ? `${count} more` : `${count} more, ${chosen} of them chosen`,
  noneChosen: "Choose accounts",
  chosenAccounts: (names: string) => `To ${names}`,
  accountState: {
    ready: "ready",
    problems: (count: number) => (count === 1 ? "1 problem" : `${count} problems`),
    toSet: (count: number) => `${count} to set`
  },
  everywhere: "Everywhere",
  own: (parts: ReadonlyArray<string>) => `own ${new Intl.ListFormat("en").format(parts)}`,
  ownParts: { caption: "text", media: "files", thread: "thread" },
  textFor: (name: string) => `Text for ${name}`,
  sharedText: "Text",
  placeholder: "What do you want to say?",
  inherited: (from: string) => `The text of ${from}`,
  writeOwn: (name: string) => `Write a separate text for ${name}`,
  useShared: "Use the shared text",
  insert: { label: "Add to the text", tag: "Add a tag", mention: "Mention somebody", emoji: "Add an emoji" },
  thread: {
    add: "Add a post below",
    full: (most: number) => `A thread has at most ${most} posts.`,
    place: (index: number, count: number) => `Post ${index} of ${count}`,
    text: (index: number) => `Text of post ${index}`,
    media: (index: number) => `Media of post ${index}`,
    placeholder: "And then?",
    earlier: (index: number) => `Move post ${index} up`,
    later: (index: number) => `Move post ${index} down`,
    remove: (index: number) => `Remove post ${index}`,
    removed: (index: number) => `Post ${index} is removed`,
    moved: (from: number, to: number) => `Post ${from} is now post ${to}`,
    threaded: (networks: string) => `${networks}: each post replies to the one before.`,
    joined: (networks: string) => `${networks}: everything is one post.`,
    refused: (networks: string, count: number) =>
      `${networks} ${count === 1 ? "has" : "have"} no threads, so this cannot go there.`,
    join: "Where a network has no threads, send everything as one post",
    write: (name: string) => `Write a separate thread for ${name}`,
    alone: (name: string) => `Send ${name} only the first post`,
    isAlone: (name: string) => `${name} gets only the first post.`,
    share: "Use the shared thread"
  },
  shared: {
    caption: (name: string) => `${name} uses the shared text again`,
    media: (name: string) => `${name} uses the shared files again`,
    thread: (name: string) => `${name} uses the shared thread again`,
    options: (name: string, network: string) => `${name} uses the options of ${network} again`,
    undo: "Undo"
  },
  tags: (value: string, most: string) => `${value} of ${most} tags`,
  ownCount: (left: string) => `own: ${left}`,
  linksCount: (characters: number) => `each link counts as ${characters}`,
  over: (count: string) => `${count} over`,
  left: (count: string) => `${count} left`,
  optionsFor: "Options for",
  allOptions: "All options",
  fewerOptions: "Fewer options",
  ownOptions: {
    begin: "Separate options for one account",
    help: (network: string) => `Options that you do not change come from ${network}.`,
    share: (network: string) => `Use the options of ${network}`
  },
  noOptions: (networks: ReadonlyArray<string>) =>
    `${new Intl.ListFormat("en").format(networks)} ${networks.length === 1 ? "has" : "have"} none`,
  when: {
    label: "When it goes out",
    change: "Change when it goes out",
    done: "Done",
    queue: "Queue",
    at: "At a time",
    now: "Now",
    time: (place: string) => `Day and time, ${place} time`,
    skipped: (time: string, became: string, place: string) =>
      `The clocks in ${place} skip ${time} that night: it goes out at ${became}.`,
    twice: (time: string, place: string) =>
      `${time} comes twice that night in ${place}: it goes out the first time.`,
    nextSlot: "The next free slot",
    noQueue: "The queue has no slots yet",
    full: "The queue has no free slot"
  },
  send: {
    chooseTime: "Choose a time",
    schedule: (time: string) => `Schedule for ${time}`,
    queue: (time: string) => `Add to the queue: ${time}`,
    queueAnyhow: "Add to the queue",
    now: "Publish now",
    save: "Save changes",
    saveDue: "Save and send",
    keepDraft: "Keep as draft",
    makeDraft: "Make it a draft",
    sending: "Sending…",
    cost: (amount: string) => `About ${amount}`
  },
  sent: {
    scheduled: (time: string) => `Scheduled for ${time}`,
    queued: (time: string) => `In the queue for ${time}`,
    saved: "Changes saved",
    kept: "Kept as a draft",
    going: "It is going out",
    undo: "Undo",
    undone: "It is a draft again",
    notUndone: "Not undone"
  },
  failed: {
    offline: "No connection. Your text is kept in this browser.",
    retry: "Try again",
    underway: "It is already going out"
  },
  problems: {
    title: (count: number) => (count === 1 ? "1 problem" : `${count} problems`),
    checked: (time: string) => `checked here and by the service, ${time}`,
    checkedHere: "checked here; the service did not answer",
    checking: "checking",
    noAccount: "No account is chosen.",
    noTime: "No time is chosen.",
    notDescribed: (name: string) => `${name} has no description yet. You can send the post without it.`,
    past: "This time has passed. Choose a later one.",
    notUploaded: (name: string) => `${name} is not uploaded yet.`,
    file: "A file",
    empty: "The post has no text and no media yet.",
    ofItem: (index: number, sentence: string) => `Post ${index}: ${sentence}`,
    noThreads: (network: string) =>
      `${network} has no threads. Join the posts into one, or leave ${network} out.`,
    tooLong: (network: string, most: string, over: string) =>
      `${network} allows ${most} characters; this is ${over} too many.`,
    tooManyTags: (network: string, most: string, value: string) =>
      `${network} allows ${most} tags; this post has ${value}.`,
    needsMedia: (networks: ReadonlyArray<string>, kinds: ReadonlyArray<"picture" | "video">) =>
      `${new Intl.ListFormat("en").format(networks)} ${networks.length === 1 ? "does" : "do"} not accept text alone. Add a ${kinds.join(" or a ")}.`,
    disconnected: "This account has to be connected again.",
    notPublic: (network: string) =>
      `${network} fetches files from this service but cannot reach its address. Ask the person who runs it to set a public address.`,
    noQueue: "The queue has no slots yet. Add some, or choose a time.",
    queueFull: "The queue has no free slot. Choose a time.",
    board: (network: string) => `${network} needs a board to go to.`
  },
  goTo: {
    accounts: "Choose",
    text: "Shorten",
    write: "Write",
    add: "Add",
    correct: "Correct",
    describe: "Describe",
    media: "Show",
    thread: "Show",
    option: "Set",
    time: "Choose"
  },
  restored: (time: string, lostFiles: number) =>
    lostFiles === 0
      ? `Your text from ${time} is back`
      : `Your text from ${time} is back, but ${lostFiles === 1 ? "a file that was still uploading is not" : `${lostFiles} files that were still uploading are not`}: add ${lostFiles === 1 ? "it" : "them"} again`,
  startAnew: "Start over",
  signedOut: {
    title: "Sign in again",
    text: "Your session has ended. Your text is kept in this browser and will be here when you are back.",
    confirm: "Sign in and continue"
  },
  leaving: {
    title: "Leave without saving?",
    text: "Your changes to the post will be lost.",
    stay: "Stay",
    go: "Leave"
  },
  clash: {
    title: "This post was changed while you were writing",
    beforeApproval: "It was changed meanwhile. Look at it first.",
    mine: "Yours",
    theirs: "Theirs",
    noText: "No text",
    others: "Other parts of the post differ too.",
    onlyOthers: "The texts are the same; other parts of the post differ.",
    keepMine: "Keep mine",
    takeTheirs: "Use theirs",
    asNew: "Keep mine as a new draft"
  },
  nextTry: (time: string) => `Next try: ${time}. Save before then, and your changes go out with it.`,
  otherTab: "This post is also open in another tab.",
  removing: {
    title: "Delete this post?",
    text: "It has not been published anywhere. Deleting cannot be undone.",
    stay: "Keep it",
    go: "Delete"
  },
  removed: "Deleted"
} as const
