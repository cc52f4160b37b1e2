/** The words of the first steps. */
export const words = {
  greetings: {
    morning: (name: string) => `Good morning, ${name}`,
    day: (name: string) => `Good afternoon, ${name}`,
    evening: (name: string) => `Good evening, ${name}`
  },
  text: "Four steps to your first post. Nothing leaves this machine until you connect an account on a real network.",
  textDone: "Your first post is out. From now on, the calendar is here.",
  done: "done",
  steps: "First steps",
  yours: {
    title: "Make this server yours",
    text: (owner: string) => `Owner: ${owner}. Address:`
  },
  clock: {
    text: (place: string) => `Your computer’s clock is in ${place}.`,
    use: (place: string) => `Use ${place} time`,
    notSet: "Not changed"
  },
  connect: {
    title: "Connect an account",
    text: "Start with the test network: it behaves like the real networks, and only you see it.",
    textElsewhere: "Posts go out to the accounts that you connect.",
    nothingToDo: "Nothing to set up",
    button: "Connect",
    how: "How",
    connected: (names: string, count: number) => (count <= 3 ? names : `${names} and ${count - 3} more`),
    by: {
      consent: "You authorize it there",
      app: "Needs an app of your own"
    },
    more: (count: number) => (count === 1 ? "1 more network" : `${count} more networks`),
    notConnected: "Not connected"
  },
  write: {
    title: "Write something",
    text: "A sentence and a picture are enough. As you type, you see how each network will show it.",
    button: "Write a post"
  },
  plan: {
    title: "Schedule it a minute ahead and watch it go out",
    text: "The bell on its row swings while it goes out. Then you get the link to the post.",
    draft: (text: string) => `“${text}” is a draft. Give it a time, or publish it now.`,
    open: "Open it",
    planned: (text: string, when: string) => `“${text}” goes out at ${when}.`,
    going: (text: string) => `“${text}” is going out now.`,
    failed: (text: string) => `“${text}” did not go out. Its page says why and what to do.`,
    out: (text: string) => `“${text}” is out.`,
    see: "See it there",
    calendar: "Go to the calendar"
  },
  example: {
    title: "What it will look like",
    tag: "example",
    unseen:
      "An example of the calendar: a scheduled post today, one tomorrow, a free queue slot, and a draft.",
    today: "Today",
    tomorrow: "Tomorrow",
    posts: ["My first post", "Good morning from the bakery", "An idea for lunch"]
  },
  network: {
    title: "The test network",
    text: "Simulated networks with the real rules. They refuse what the real ones refuse, and lose an answer when you ask them to."
  },
  api: "Work with the API or an assistant",
  hide: "Hide this",
  noText: "Your post"
} as const
