import { isPlatformId, type PlatformId } from "../PlatformFacts.ts"
import type { CreatePost as Request } from "../Post.ts"
import { accountOf, type ChosenAccount, choicesOf } from "./AccountChoice.ts"
import { type Attachment, keyOf } from "./Attachments.ts"
import type { readValue, Value } from "./OptionValue.ts"
import type { Setting } from "./Settings.ts"
import { Findings, Unusable } from "./Unusable.ts"

type CreatePost = (typeof Request)["Encoded"]

export interface ScheduledTime {
  readonly instant: Date
  /** The zone in which it was read, or is shown. */
  readonly timeZone: string
  /** It is relative to now: `+10s`, `in 2 hours`. */
  readonly relative: boolean
  readonly warnings: ReadonlyArray<string>
}

/** A post that follows another in a thread. */
export interface Following {
  readonly caption: string
  readonly media: ReadonlyArray<string>
  /** What named it, if that is not `--then`. */
  readonly from?: string
}

/** A post as a command line or a row of a file gives it. */
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
  /** Columns give it, not options of a command. */
  readonly isRow?: true
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

/** What a post is planned for. */
export interface Workspace {
  readonly accounts: () => Promise<ReadonlyArray<ChosenAccount>>
  readonly timeZone: () => Promise<string>
  /** Reads `--at`: ISO 8601, or what else is understood here. */
  readonly time: (text: string, timeZone: string) => Promise<ScheduledTime>
  /** Finds a file, an address or an item of the library. */
  readonly attachment: (value: string, where: string) => Attachment | Promise<Attachment>
}

/** Refuses combinations that make no sense whatever the service says. */
export const checkArgs = ({ at, draft, isRow, queue, thread, tz }: PostArgs): void => {
  const named = namesIn(isRow)
  if (thread?.some(({ caption, media }) => caption === "" && media.length === 0)) {
    throw new Unusable("--then has neither text nor --then-media; give it one of them.")
  }
  if (queue && (at !== undefined || draft)) {
    throw new Unusable(`${named("queue")} cannot be combined with ${named("at")} or ${named("draft")}.`)
  }
  if (tz === undefined) return
  if (at === undefined && !queue) {
    throw new Unusable(`${named("tz")} has no effect without a time.`)
  }
  if (!isTimeZone(tz)) {
    throw new Unusable(
      `${named("tz")}: ${JSON.stringify(tz)} is not an IANA time zone.`,
      "Use a name such as Europe/Paris, America/New_York or UTC."
    )
  }
}

const namesIn = (isRow: true | undefined) => (name: string) => (isRow ? name : `--${name}`)

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
  const named = namesIn(args.isRow)
  const findings = new Findings()
  const attachments = async (values: ReadonlyArray<string>, where: string) =>
    (await Promise.all(values.map((value) => findings.of(() => workspace.attachment(value, where))))).flatMap(
      (one) => one ?? []
    )
  const media = await attachments(args.media, named("media"))
  const thread =
    args.thread &&
    (await Promise.all(
      args.thread.map(async ({ caption, from = "--then-media", media }) => ({
        caption: caption === "" ? null : caption,
        media: await attachments(media, from)
      }))
    ))
  const social_accounts = await idsOf(args.to, named("to"), workspace, findings)
  const settings = (
    await Promise.all(args.settings.map((one) => findings.of(() => place(one, workspace))))
  ).flatMap((one) => one ?? [])
  const time =
    args.at === undefined ? undefined : await findings.of(() => readTime(args.at!, args.tz, workspace))
  findings.throwAny()

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
  thread: ReadonlyArray<{ readonly caption: string | null; readonly media: ReadonlyArray<Attachment> }>,
  idsFor: (wanted: ReadonlyArray<Attachment>) => ReadonlyArray<string>
) =>
  thread
    .map(({ caption, media }) => ({ caption, media: idsFor(media) }))
    .filter(({ caption, media }) => caption !== null || media.length > 0)

/** The ids behind `--to`. Asks the service for its accounts only if something other than ids was given. */
const idsOf = async (
  to: ReadonlyArray<string>,
  from: string,
  workspace: Workspace,
  findings: Findings
): Promise<ReadonlyArray<number>> => {
  const ids = choicesOf(to).map((choice) =>
    findings.of(async () =>
      /^\d+$/.test(choice) ? Number(choice) : accountOf(choice, await workspace.accounts(), from).id
    )
  )
  return [...new Set((await Promise.all(ids)).flatMap((id) => id ?? []))]
}

/** The time of `--at`; a relative time has to be read again when it is used. */
export const readTime = async (at: string, tz: string | undefined, workspace: Workspace) =>
  workspace.time(at, tz ?? (await workspace.timeZone()))

interface Placed {
  readonly platform: PlatformId | undefined
  readonly account: number | undefined
  readonly option: string
  readonly value: Value
}

/** A command that sets no option need not load the options. */
const valueOf: typeof readValue = async (...given) => (await import("./OptionValue.ts")).readValue(...given)

/** Finds the platform or account of a setting and reads its value. */
const place = async (setting: Setting, { accounts, attachment }: Workspace): Promise<Placed> => {
  const { option, target, text } = setting
  const ofPlatform = isPlatformId(target)
  const isCaption = option === "caption"
  // A caption needs only the account's id, so no lookup.
  if (isCaption && /^\d+$/.test(target)) {
    return { platform: undefined, account: Number(target), option, value: { value: text } }
  }
  const account = ofPlatform ? undefined : accountOf(target, await accounts(), setting.from)
  const platform = ofPlatform ? target : account!.platform
  const value = isCaption ? { value: text } : await valueOf(platform, setting, attachment)
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

/** The request that checks a plan as far as the service can without the files; undefined: nothing is left of it. */
export const requestToCheck = ({ attachments, mediaUrls, request: requestWith }: PostPlan) => {
  const ids = new Map(attachments.flatMap((one) => ("id" in one ? [[keyOf(one), one.id] as const] : [])))
  const request = requestWith(ids)
  if (mediaUrls.length > 0) return { ...request, media_urls: mediaUrls }
  const isEmpty = request.caption === undefined && request.media === undefined
  return isEmpty && attachments.length > 0 ? undefined : request
}
