import type { Carillon } from "@carillon/sdk"
import type { Workspace } from "@carillon/domain/plan"
import { allAccounts } from "./AccountChoice.ts"
import { toAttachment } from "./Attachments.ts"

/** Facts of a workspace that several posts of one command ask for once. */
export const workspaceOf = (client: Carillon): Workspace => ({
  accounts: once(() => allAccounts(client)),
  timeZone: once(async () => (await client.profile.get()).timezone),
  time: async (text, timeZone) => {
    const { parseScheduledTime } = await import("./ScheduledTime.ts")
    return parseScheduledTime(text, timeZone, new Date())
  },
  attachment: toAttachment
})

const once = <A>(ask: () => Promise<A>): (() => Promise<A>) => {
  let asked: Promise<A> | undefined
  return () => (asked ??= ask())
}
