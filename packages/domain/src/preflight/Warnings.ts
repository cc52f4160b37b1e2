import type { AccountLimits } from "../AccountLimits.ts"
import { firstCommentWarnings } from "../FirstComment.ts"
import { type Content, resolveContent, threadItems } from "../Overrides.ts"
import type { AccountDefaults, PlatformId, WarnedMedia } from "../Platform.ts"
import { mediaOptions } from "../PlatformOptions.ts"
import { platformRules, rulesFor } from "../platforms/PlatformDefinitions.ts"
import { itemWith } from "./Preflight.ts"
import type { SocialAccountStatus } from "../SocialAccount.ts"

/** Warnings account by account: decisions that the post leaves open, and content that is lost on the way. */
export const contentWarnings = (content: Content, accounts: Accounts): ReadonlyArray<string> =>
  warnings(content, accounts, (_platform, options, account, caption) => {
    const rules = rulesFor(account)
    return [...(rules.warnings?.(options, account, caption) ?? []), ...firstCommentWarnings(rules, options)]
  })

/** Nothing is lost then: the post waits for the account. */
export const reconnectWarnings = (
  accounts: ReadonlyArray<{
    readonly id: number
    readonly platform: PlatformId
    readonly status: SocialAccountStatus
  }>
): ReadonlyArray<string> =>
  accounts.flatMap(({ id, platform, status }) =>
    status === "needs_reconnect"
      ? [
          `${warnedAccount(platform, id)} needed to be reconnected when this post was checked; nothing is published there until it is.`
        ]
      : []
  )

/** The warnings without those about accounts that are connected again; `lost` are those that are not. */
export const standingWarnings = (all: ReadonlyArray<string>, lost: ReadonlyArray<number>) =>
  all.filter((warning) => {
    const [, id] = /^[^(]+ \(account (\d+)\) needed to be reconnected /.exec(warning) ?? []
    return id === undefined || lost.includes(Number(id))
  })

/** The further loss where no frame can be cut out of a video. */
export const frameWarnings = (content: Content, accounts: Accounts): ReadonlyArray<string> =>
  warnings(content, accounts, (platform, options) => {
    const at = options["video_cover_timestamp_ms"]
    return platformRules[platform].cover_frame === undefined || typeof at !== "number" || namesImage(options)
      ? []
      : [
          `chooses the thumbnail itself: this service has no ffmpeg to extract the frame at ${at} milliseconds. Set ` +
            "thumbnail to an image, or ask the operator to install ffmpeg or to set FFMPEG to its path."
        ]
  })

/** The description of a medium of the library that a post sends; null: the post has one of its own, or there is none. */
export const inheritedAltText = (
  { alt_text: option }: Options,
  index: number,
  { alt_text }: { readonly alt_text: string | null }
): string | null =>
  typeof option === "string" || (Array.isArray(option) && typeof option[index] === "string") ? null : alt_text

/** Descriptions of media that lose their end. */
export const altTextWarnings = (content: Content, accounts: Accounts, media: ReadonlyArray<Described>) =>
  accounts.flatMap((account) => {
    const { id, platform } = account
    const rules = rulesFor(account)
    const most = rules.alt_text ?? Infinity
    return threadItems(rules, resolveContent(content, platform, id)).flatMap(
      ({ index: place, options, media: ids }) =>
        ids.flatMap((one, index) => {
          const item = media.find((described) => described.id === one)
          const length = [...((item && inheritedAltText(options, index, item)) ?? "")].length
          return length <= most
            ? []
            : [
                `${warnedAccount(platform, id)} cuts off the alt text of ${JSON.stringify(item!.name)}, which has ${length} characters: the limit is ${most}. ${place === 0 ? "Set a shorter one in alt_text" : "Shorten it on the file, because alt_text is for the first item only"}.`
              ]
        })
    )
  })

/** What may become of media on an account's server. */
export const mediaWarnings = (
  content: Content,
  accounts: Accounts,
  media: ReadonlyArray<WarnedMedia & { readonly id: string }>
): ReadonlyArray<string> =>
  accounts.flatMap((account) => {
    const { id, platform } = account
    const rules = rulesFor(account)
    const sentences = threadItems(rules, resolveContent(content, platform, id)).flatMap(
      ({ media: ids }) => rules.media_warnings?.(ids.flatMap((one) => itemWith(media, one) ?? [])) ?? []
    )
    return [...new Set(sentences)].map((sentence) => `${warnedAccount(platform, id)} ${sentence}`)
  })

interface Described {
  readonly id: string
  readonly name: string
  readonly alt_text: string | null
}

const warnings = (
  content: Content,
  accounts: Accounts,
  of: (
    platform: PlatformId,
    options: Options,
    account: Accounts[number],
    caption: string
  ) => ReadonlyArray<string> | undefined
) =>
  accounts.flatMap((account) => {
    const { id, platform } = account
    const { options, caption } = resolveContent(content, platform, id)
    return (of(platform, options, account, caption) ?? []).map(
      (sentence) => `${warnedAccount(platform, id)} ${sentence}`
    )
  })

/** The beginning of every warning about one account. */
export const warnedAccount = (platform: PlatformId, id: number) =>
  `${platformRules[platform].name} (account ${id})`

/** The warnings about the whole post or about one of these accounts. */
export const warningsFor = (all: ReadonlyArray<string>, accountIds: ReadonlyArray<number>) =>
  all.filter((warning) => {
    const [, id] = /^[^(]+ \(account (\d+)\) /.exec(warning) ?? []
    return id === undefined || accountIds.includes(Number(id))
  })

type Accounts = ReadonlyArray<
  AccountDefaults & {
    readonly id: number
    readonly platform: PlatformId
    readonly limits?: AccountLimits | null
  }
>

const namesImage = (options: Options) => mediaOptions.some((name) => typeof options[name] === "string")

type Options = { readonly [name: string]: unknown }
