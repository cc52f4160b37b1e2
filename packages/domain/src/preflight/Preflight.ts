import { Result, Schema, SchemaIssue } from "effect"
import {
  type ResolvedThreadItem,
  type Content,
  mediaPathsOf,
  type ResolvedContent,
  resolveContent,
  threadItems
} from "../Overrides.ts"
import type { AccountLimits } from "../AccountLimits.ts"
import type { Placement, PlacementRules, PlatformId, PlatformRules } from "../Platform.ts"
import { mediaOptions } from "../PlatformOptions.ts"
import { platformPermissions } from "../Permissions.ts"
import { platformOptions, platformRules, rulesFor } from "../platforms/PlatformDefinitions.ts"
import type { ProblemItem } from "../Problems.ts"
import type { SocialAccount, SocialAccountStatus } from "../SocialAccount.ts"
import { measureOnce, type MeasureText, textProblems } from "./CaptionProblems.ts"
import type { Finding } from "./Finding.ts"
import { fetchProblems, type PublicUrl } from "./FetchProblems.ts"
import { type Fitting, mediaProblems } from "./MediaProblems.ts"
import { optionProblems } from "./OptionProblems.ts"
import type { PreflightMedia } from "./PreflightMedia.ts"

export interface PreflightAccount {
  readonly id: number
  readonly platform: PlatformId
  readonly username: string
  readonly status: SocialAccountStatus
  readonly limits?: AccountLimits | null
  readonly permissions?: SocialAccount["permissions"]
}

export interface PreflightInput extends Fitting {
  readonly content: Content
  readonly social_accounts: ReadonlyArray<number>
  /** Those of the accounts that exist. */
  readonly accounts: ReadonlyArray<PreflightAccount>
  /** Those of the media that exist. */
  readonly media: ReadonlyArray<PreflightMedia>
  readonly public_url: PublicUrl
  /** How many items of the post's thread are live on every account; what they need is no longer checked. */
  readonly live_items?: number
}

/** Finds every problem of a post that can be known before its time, account by account. */
export const preflight = (input: PreflightInput): ReadonlyArray<ProblemItem> => {
  const measure = measureOnce()
  return [
    ...accountProblems(input),
    ...availability(input),
    ...input.accounts.flatMap((account) => contentProblems(input, account, measure)),
    ...unusedOptions(input)
  ]
}

const optionValue = "option_value"

/** Problems for which a draft is refused too: a reference to something that does not exist, or one fact given in two ways. */
const storesNot: ReadonlySet<string> = new Set([
  "scheduled_at_invalid",
  "schedule_conflict",
  "queue_not_configured",
  "media_url_not_allowed",
  "social_account_not_found",
  "media_not_found"
])

/** Whether a draft can be stored with a problem of the post. */
export const isKeptByDrafts = ({ code, rule }: ProblemItem): boolean =>
  !storesNot.has(code) && (code !== "invalid_value" || rule === optionValue)

const accountProblems = ({
  social_accounts,
  accounts,
  content
}: PreflightInput): ReadonlyArray<ProblemItem> => [
  ...social_accounts.flatMap((id, index) => {
    const path = `social_accounts[${index}]`
    const account = accounts.find((one) => one.id === id)
    if (account === undefined) {
      return [{ path, code: "social_account_not_found", message: `There is no social account ${id}.` }]
    }
    if (social_accounts.indexOf(id) !== index) {
      return [
        { path, code: "invalid_value", message: `The social account ${id} is listed twice; list it once.` }
      ]
    }
    return account.status === "disconnected"
      ? [
          {
            path,
            code: "social_account_disconnected",
            message: `The social account ${id} (@${account.username}) is disconnected; connect it again first.`
          }
        ]
      : []
  }),
  ...(content.account_configurations ?? []).flatMap(({ account_id }, index, all) => {
    const problem = (message: string) => [
      { path: `account_configurations[${index}].account_id`, code: "invalid_value", message }
    ]
    if (!social_accounts.includes(account_id)) {
      return problem(
        `account_configurations[${index}] is for the account ${account_id}, which is not in social_accounts.`
      )
    }
    return all.findIndex((entry) => entry.account_id === account_id) === index
      ? []
      : problem(`account_configurations has two entries for the account ${account_id}; keep one.`)
  })
]

/** The media of what has still to go out, each with its path in the request. */
const neededMedia = ({ content, accounts, live_items = 0 }: PreflightInput): ReadonlyMap<string, string> =>
  live_items === 0
    ? mediaPathsOf(content)
    : new Map(
        accounts.flatMap(({ id: account, platform }) =>
          threadItems(platformRules[platform], resolveContent(content, platform, account))
            .slice(live_items)
            .flatMap(({ media, mediaPath }) => media.map((id) => [id, mediaPath] as const))
        )
      )

const availability = (input: PreflightInput): ReadonlyArray<ProblemItem> =>
  Array.from(neededMedia(input)).flatMap(([id, path]): ReadonlyArray<ProblemItem> => {
    const item = itemWith(input.media, id)
    if (item === undefined) {
      return [{ path, code: "media_not_found", message: `There is no media item ${id}.`, media_id: id }]
    }
    const called = item.name === "" ? id : `${id} (${item.name})`
    if (item.error !== null) {
      const message = `The media item ${called} cannot be used. ${item.error.message}`
      return [{ path, code: "media_failed", message, media_id: id }]
    }
    const message = `The media item ${called} has no bytes yet; PUT the file to its upload_url first.`
    return item.status === "ready" || item.importing
      ? []
      : [{ path, code: "media_not_ready", message, media_id: id }]
  })

/** Ids are lower case; people send them in either. */
export const itemWith = <A extends { readonly id: string }>(media: ReadonlyArray<A>, id: string) =>
  media.find((one) => one.id === id.toLowerCase())

/** The kind of post that these media become with these options. */
export const placementOf = (
  rules: PlatformRules,
  options: ResolvedContent["options"],
  media: ReadonlyArray<Pick<PreflightMedia, "kind">>
): PlacementRules =>
  rules.placementOf(
    media.map(({ kind }) => kind),
    options["placement"] as Placement | undefined
  )

/** The facts of a placement that a preview needs. */
export interface PlacementFacts {
  readonly placement: string
  /** It may be without media. */
  readonly text_only: boolean
  /** Some post to the account may be. */
  readonly takes_text: boolean
  /** A picture would do; else it wants a video. */
  readonly takes_images: boolean
  /** Its options alone make a post. */
  readonly has_content_options: boolean
}

export const placementFacts = (
  rules: PlatformRules,
  options: ResolvedContent["options"],
  media: ReadonlyArray<Pick<PreflightMedia, "kind">>
): PlacementFacts => {
  const placement = placementOf(rules, options, media)
  const possible = options["placement"] === undefined ? rules.placements : [placement]
  return {
    placement: placement.name,
    text_only: placement.text_only,
    takes_text: rules.placements.some(({ text_only }) => text_only),
    takes_images: possible.some(({ images }) => images !== undefined),
    has_content_options: optionsAreContent(rules, options)
  }
}

/** The problems of the media and the cover alone, asked again when those from URLs have been fetched. */
export const mediaFit = (
  rules: PlatformRules,
  account: Pick<PreflightAccount, "id" | "username">,
  content: ResolvedContent,
  items: ReadonlyArray<PreflightMedia>,
  fitting: Fitting
): ReadonlyArray<ProblemItem> => [
  ...threadItems(rules, content).flatMap(({ index, media: ids, mediaPath, options }) => {
    const media = ids.flatMap((id) => itemWith(items, id) ?? [])
    return mediaProblems(placementOf(rules, options, media), media, fitting, mediaPath).map(
      problemFor(rules, account, index)
    )
  }),
  ...mediaOptionProblems(items, content).map(problemFor(rules, account))
]

/** `index`: the item's place in a thread. The message names it for programs that show no path. */
const problemFor =
  (
    { name, platform }: PlatformRules,
    { id, username }: Pick<PreflightAccount, "id" | "username">,
    index = 0
  ) =>
  (found: Finding): ProblemItem => ({
    ...found,
    message: `${index === 0 ? "" : `Item ${index + 1} of the thread: `}${name} (@${username}, account ${id}) ${found.sentence}`,
    account_id: id,
    platform
  })

const contentProblems = (
  input: PreflightInput,
  account: PreflightAccount,
  measure: MeasureText
): ReadonlyArray<ProblemItem> => {
  const { id, platform } = account
  const rules = rulesFor(account)
  const resolved = resolveContent(input.content, platform, id)
  const { options, optionPath } = resolved
  const known = Object.keys(platformOptions[platform].fields)
  const found: Array<Finding> = [
    ...Object.keys(options).flatMap((name) =>
      known.includes(name) ? [] : unknownOption(rules.name, optionPath(name), name, known)
    ),
    ...invalidOptions(platform, options, optionPath),
    ...mediaOptionProblems(input.media, resolved),
    ...permissionProblems(account, resolved, input.public_url),
    ...threadProblems(rules, resolved)
  ]
  const items = threadItems(rules, resolved)
    // On a platform without threads, problems of the other items add nothing.
    .slice(input.live_items, rules.chains === undefined ? 1 : undefined)
    .map((item) => itemProblems(input, rules, item, measure).map(problemFor(rules, account, item.index)))
  return [...found.map(problemFor(rules, account)), ...items.flat()]
}

/** Options that need what the account was not allowed. The rest of its posts go out. */
const permissionProblems = (
  { id, permissions, platform }: PreflightAccount,
  { optionPath, options }: ResolvedContent,
  { url }: PublicUrl
): ReadonlyArray<Finding> =>
  (permissions?.missing ?? []).flatMap((name) => {
    const { options: needing, scopes } = platformPermissions[platform]![name]!
    return needing
      .filter((option) => isSet(options[option]))
      .map((option) => ({
        path: optionPath(option),
        code: "option_not_accepted",
        rule: "reconnect_account",
        value: name,
        sentence: `was connected without the permission ${name} (${Object.values(scopes)
          .map(([scope]) => scope)
          .join(
            " or "
          )}), which ${option} needs. Connect the account again at ${url}/app/accounts?reconnect=${id}&allow=${name}, or leave ${option} out.`
      }))
  })

const isSet = (value: unknown) =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)

const threadProblems = (
  { chains, name }: PlatformRules,
  { thread, optionPath }: ResolvedContent
): ReadonlyArray<Finding> => {
  if (thread.length === 0) return []
  const refused = { path: optionPath("thread"), code: "option_not_accepted", rule: "chains.max_items" }
  const count = thread.length + 1
  if (chains === undefined) {
    const sentence = `has no threads, or this release does not publish them; leave thread out, give ${name} an empty thread, or join the items with thread_fallback: "join".`
    return [{ ...refused, rule: "chains", sentence }]
  }
  const most = chains.max_items
  return count <= most
    ? []
    : [
        {
          ...refused,
          limit: most,
          value: count,
          sentence: `allows at most ${most} items in a thread; with the post itself, there are ${count}.`
        }
      ]
}

/** The words and the media of the post, or of one item of a thread, and what options say about the post's own. */
const itemProblems = (
  input: PreflightInput,
  rules: PlatformRules,
  resolved: ResolvedThreadItem,
  measure: MeasureText
): ReadonlyArray<Finding> => {
  const { caption, captionPath, mediaPath, optionPath, options, index } = resolved
  const media = resolved.media.flatMap((one) => itemWith(input.media, one) ?? [])
  const placement = placementOf(rules, options, media)
  const found: Array<Finding> = []
  if (
    caption.trim() === "" &&
    resolved.media.length === 0 &&
    !(index === 0 && optionsAreContent(rules, options))
  ) {
    const what = index === 0 ? "a post" : "each item of a thread"
    const sentence = `gets neither a caption nor media; ${what} needs one of them.`
    return [{ path: captionPath, code: "empty_post", rule: "content", sentence }]
  }
  if (!placement.text_only && resolved.media.length === 0) {
    found.push({
      path: mediaPath,
      code: "media_required",
      rule: "text_only",
      sentence: "cannot publish text alone; add media."
    })
  }
  return [
    ...found,
    ...textProblems(
      rules.counted?.(resolved) ?? caption,
      placement.caption,
      captionPath,
      captionPath === optionPath("thread") ? "the text of all items" : "this caption",
      measure
    ),
    ...mediaProblems(placement, media, input, mediaPath),
    ...(index === 0 ? optionProblems(rules, { ...resolved, media, placement }, measure) : []),
    ...fetchProblems(input.public_url, rules.platform, { ...resolved, media, placement })
  ]
}

/** Whether options alone make a post. */
const optionsAreContent = (
  { content_options = [], poll_is_content }: PlatformRules,
  options: ResolvedContent["options"]
): boolean =>
  (poll_is_content === true && pollQuestion(options) !== "") ||
  content_options.some((name) => {
    const given = options[name]
    return Array.isArray(given) && given.length > 0
  })

/** The question that a poll asks by itself. */
const pollQuestion = ({ poll }: ResolvedContent["options"]) =>
  typeof poll === "object" && poll !== null && "question" in poll ? String(poll.question).trim() : ""

const unknownOption = (
  platform: string,
  path: string,
  name: string,
  known: ReadonlyArray<string>
): Finding => ({
  path,
  code: "unknown_field",
  rule: "known_options",
  sentence: `has no option ${name}. ${platform} has: ${known.join(", ")}.`
})

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Values that the platform does not take; some are another's, because an account's entry takes the options of all. */
const invalidOptions = (
  platform: PlatformId,
  options: ResolvedContent["options"],
  optionPath: ResolvedContent["optionPath"]
): ReadonlyArray<Finding> => {
  const fields: Readonly<Record<string, { readonly schema: Schema.Top }>> = platformOptions[platform].fields
  return Object.entries(options).flatMap(([name, value]) => {
    const field = fields[name]
    if (field === undefined) return []
    const decoded = Schema.decodeUnknownResult(Schema.toType(field.schema) as Schema.Codec<unknown>)(value)
    if (Result.isSuccess(decoded)) return []
    const message = formatIssue(decoded.failure.issue).issues[0]?.message ?? "is not valid"
    return [
      {
        path: optionPath(name),
        code: "invalid_value" as const,
        rule: optionValue,
        sentence: `does not accept this value of ${name}: ${message}${message.endsWith(".") ? "" : "."}`
      }
    ]
  })
}

/** Those for platforms of which the post has no account. */
const unusedOptions = ({ content, accounts }: PreflightInput): ReadonlyArray<ProblemItem> => {
  const used = new Set(accounts.map(({ platform }) => platform))
  return Object.keys(content.platform_configurations ?? {}).flatMap((name) => {
    const platform = name as PlatformId
    if (used.has(platform)) return []
    const { options } = resolveContent({ ...content, account_configurations: null }, platform, 0)
    return invalidOptions(platform, options, (option) => `platform_configurations.${platform}.${option}`).map(
      (found) => ({ ...found, message: `${platformRules[platform].name} ${found.sentence}`, platform })
    )
  })
}

const mediaOptionProblems = (
  media: ReadonlyArray<PreflightMedia>,
  { options, optionPath }: ResolvedContent
): ReadonlyArray<Finding> =>
  mediaOptions.flatMap((name) => {
    const id = options[name]
    const item = typeof id === "string" ? itemWith(media, id) : undefined
    return item === undefined || item.kind === null || item.kind === "image"
      ? []
      : [
          {
            path: optionPath(name),
            code: "media_not_accepted" as const,
            media_id: item.id,
            rule: "kind",
            value: item.kind,
            sentence: `accepts only an image as ${name}; the media item ${item.id} is a ${item.kind}.`
          }
        ]
  })
