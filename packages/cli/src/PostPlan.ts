import type { Carillon, CreatePost, PlatformId, SocialAccount } from "@carillon/sdk"
import { allAccounts, accountOf, choicesOf } from "./AccountChoice.ts"
import { type Attachment, keyOf, toAttachment } from "./Attachments.ts"
import { CliError, exitCodes } from "./CliError.ts"
import { isPlatformId } from "@carillon/domain/PlatformFacts"
import type { ScheduledTime } from "./ScheduledTime.ts"
import { readValue, type Setting, type Value } from "./Settings.ts"

/** A post that follows another in a thread. */
export interface Following {
  readonly caption: string
  readonly media: ReadonlyArray<string>
  /** What named it, if that is not `--then`. */
  readonly from?: string
}

/** A post as the command line gives it. */
export interface PostArgs {
  readonly caption?: string | undefined
  readonly to: ReadonlyArray<string>
  readonly media: ReadonlyArray<string>
  /** Empty: no thread; undefined: not given. */
  readonly thread?: ReadonlyArray<Following> | undefined
  /** What the request has as it is. */
  readonly fields?: Partial<CreatePost>
  readonly at?: string | undefined
  readonly tz?: string | undefined
  readonly queue?: boolean | undefined
  readonly draft?: boolean | undefined
  readonly settings: ReadonlyArray<Setting>
}

/** A post that is complete but for the ids of files that have yet to be sent. */
export interface PostPlan {
  readonly attachments: ReadonlyArray<Attachment>
  /** The addresses of files of the post itself. */
  readonly mediaUrls: ReadonlyArray<string>
  readonly time: ScheduledTime | undefined
  /** The request with the ids of `attachments`, by key; attachments without an id are left out. */
  readonly request: (ids: ReadonlyMap<string, string>, time?: ScheduledTime) => CreatePost
}

/** Facts that several posts of one command ask for once. */
export interface Workspace {
  readonly accounts: () => Promise<ReadonlyArray<SocialAccount>>
  readonly timeZone: () => Promise<string>
}

export const workspaceOf = (client: Carillon): Workspace => ({
  accounts: once(() => allAccounts(client)),
  timeZone: once(async () => (await client.profile.get()).timezone)
})

const once = <A>(ask: () => Promise<A>): (() => Promise<A>) => {
  let asked: Promise<A> | undefined
  return () => (asked ??= ask())
}

/** Refuses combinations that make no sense whatever the service says. */
export const checkArgs = ({ at, draft, queue, thread, tz }: PostArgs): void => {
  if (thread?.some(({ caption, media }) => caption === "" && media.length === 0)) {
    throw new CliError(exitCodes.usage, "--then has neither text nor --then-media; give it one of them.")
  }
  if (queue && (at !== undefined || draft)) {
    throw new CliError(exitCodes.usage, "--queue cannot be combined with --at or --draft.")
  }
  if (tz === undefined) return
  if (at === undefined && !queue) {
    throw new CliError(exitCodes.usage, "--tz has no effect without a time.")
  }
  if (!isTimeZone(tz)) {
    throw new CliError(
      exitCodes.usage,
      `--tz: ${JSON.stringify(tz)} is not an IANA time zone.`,
      "Use a name such as Europe/Paris, America/New_York or UTC."
    )
  }
}

const isTimeZone = (name: string) => {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions()
    // Intl takes offsets too, but a zone is meant.
    return !/^[+-]/.test(timeZone)
  } catch {
    return false
  }
}

export const planPost = async (workspace: Workspace, args: PostArgs): Promise<PostPlan> => {
  checkArgs(args)
  const media = await Promise.all(args.media.map((value) => toAttachment(value)))
  const thread = args.thread && (await Promise.all(args.thread.map(following)))
  const social_accounts = await idsOf(args.to, workspace)
  const settings = await Promise.all(args.settings.map((one) => place(one, workspace)))
  const time = args.at === undefined ? undefined : await readTime(args.at, args.tz, workspace)

  const request = (ids: ReadonlyMap<string, string>, at = time): CreatePost => {
    const idsFor = (wanted: ReadonlyArray<Attachment>) => wanted.flatMap((one) => ids.get(keyOf(one)) ?? [])
    const shared = idsFor(media)
    return {
      ...(social_accounts.length === 0 ? {} : { social_accounts }),
      ...(args.caption === undefined ? {} : { caption: args.caption }),
      ...(shared.length === 0 ? {} : { media: shared }),
      ...(thread === undefined ? {} : { thread: thread.length === 0 ? null : itemsWith(thread, idsFor) }),
      ...args.fields,
      ...(at === undefined ? {} : { scheduled_at: at.instant.toISOString() }),
      ...(args.queue ? { use_queue: args.tz === undefined ? true : { timezone: args.tz } } : {}),
      ...(args.draft ? { is_draft: true } : {}),
      ...configurations(settings, idsFor)
    } as CreatePost
  }
  return {
    attachments: [
      ...media,
      ...(thread ?? []).flatMap((item) => item.media),
      ...settings.flatMap(({ value }) => ("media" in value ? value.media : []))
    ],
    mediaUrls: media.flatMap((one) => ("url" in one ? [one.url] : [])),
    time,
    request
  }
}

/** Before its files are sent there may be nothing of an item. */
const itemsWith = (
  thread: ReadonlyArray<Awaited<ReturnType<typeof following>>>,
  idsFor: (wanted: ReadonlyArray<Attachment>) => ReadonlyArray<string>
) =>
  thread
    .map(({ caption, media }) => ({ caption, media: idsFor(media) }))
    .filter(({ caption, media }) => caption !== null || media.length > 0)

const following = async ({ caption, from = "--then-media", media }: Following) => ({
  caption: caption === "" ? null : caption,
  media: await Promise.all(media.map((value) => toAttachment(value, from)))
})

/** The ids behind `--to`. Asks the service for its accounts only if something other than ids was given. */
const idsOf = async (to: ReadonlyArray<string>, workspace: Workspace): Promise<ReadonlyArray<number>> => {
  const choices = choicesOf(to)
  const ids = choices.map(async (choice) =>
    /^\d+$/.test(choice) ? Number(choice) : accountOf(choice, await workspace.accounts(), "--to").id
  )
  return [...new Set(await Promise.all(ids))]
}

/** The time of `--at`; a relative time has to be read again when it is used. */
export const readTime = async (
  at: string,
  tz: string | undefined,
  workspace: Workspace
): Promise<ScheduledTime> => {
  const { parseScheduledTime } = await import("./ScheduledTime.ts")
  return parseScheduledTime(at, tz ?? (await workspace.timeZone()), new Date())
}

interface Placed {
  readonly platform: PlatformId | undefined
  readonly account: number | undefined
  readonly option: string
  readonly value: Value
}

/** Finds the platform or account of a setting and reads its value. */
const place = async (setting: Setting, { accounts }: Workspace): Promise<Placed> => {
  const { option, target, text } = setting
  const ofPlatform = isPlatformId(target)
  const isCaption = option === "caption"
  // A caption needs only the account's id, so no lookup.
  if (isCaption && /^\d+$/.test(target)) {
    return { platform: undefined, account: Number(target), option, value: { value: text } }
  }
  const account = ofPlatform ? undefined : accountOf(target, await accounts(), setting.from)
  const platform = ofPlatform ? target : account!.platform
  const value = isCaption ? { value: text } : await readValue(platform, setting)
  return { platform: ofPlatform ? target : undefined, account: account?.id, option, value }
}

const configurations = (
  settings: ReadonlyArray<Placed>,
  idsFor: (wanted: ReadonlyArray<Attachment>) => ReadonlyArray<string>
): object => {
  const platforms: Record<string, Record<string, unknown>> = {}
  const accounts: Record<number, Record<string, unknown>> = {}
  for (const { account, option, platform, value } of settings) {
    const entry = platform === undefined ? (accounts[account!] ??= {}) : (platforms[platform] ??= {})
    if ("value" in value) entry[option] = value.value
    else {
      const ids = idsFor(value.media)
      if (ids.length > 0) entry[option] = value.many ? ids : ids[0]
    }
  }
  return {
    ...(Object.keys(platforms).length === 0 ? {} : { platform_configurations: platforms }),
    ...(Object.keys(accounts).length === 0
      ? {}
      : {
          account_configurations: Object.entries(accounts).map(([id, entry]) => ({
            account_id: Number(id),
            ...entry
          }))
        })
  }
}
