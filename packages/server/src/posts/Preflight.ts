import {
  byteLength,
  type Content,
  mediaIdsOf,
  type PlatformRules,
  platformRules,
  type ProblemItem,
  resolveContent,
  textLength
} from "@carillon/domain"
import type { SocialAccountRow } from "../accounts/SocialAccountRepository.ts"
import { isReady, type MediaRow, type ReadyMedia } from "../media/MediaRepository.ts"

export interface PreflightInput {
  readonly content: Content
  readonly processing_enabled: boolean
  readonly social_accounts: ReadonlyArray<number>
  readonly accounts: ReadonlyArray<SocialAccountRow>
  readonly media: ReadonlyArray<MediaRow>
}

/** Everything about a post that can be known before its time to be wrong, account by account. */
export const preflight = (input: PreflightInput): ReadonlyArray<ProblemItem> => [
  ...accountProblems(input),
  ...mediaProblems(input),
  ...input.accounts.flatMap((account) => contentProblems(input, account))
]

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
        { path, code: "invalid_value", message: `The social account ${id} is named twice; name it once.` }
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
  ...(content.account_configurations ?? []).flatMap(({ account_id }, index) =>
    social_accounts.includes(account_id)
      ? []
      : [
          {
            path: `account_configurations[${index}].account_id`,
            code: "invalid_value",
            message: `account_configurations[${index}] is for the account ${account_id}, which is not in social_accounts.`
          }
        ]
  )
]

const mediaProblems = ({ content, media }: PreflightInput): ReadonlyArray<ProblemItem> =>
  mediaIdsOf(content).flatMap((id) => {
    const item = media.find((one) => one.id === id)
    if (item === undefined) {
      return [{ path: "media", code: "media_not_found", message: `There is no media item ${id}.` }]
    }
    if (item.error !== null) {
      return [
        {
          path: "media",
          code: "media_failed",
          message: `The media item ${id} cannot be used. ${item.error.message}`
        }
      ]
    }
    return item.status === "ready" || item.importing
      ? []
      : [
          {
            path: "media",
            code: "media_not_ready",
            message: `The media item ${id} has no bytes yet; PUT the file to its upload_url first.`
          }
        ]
  })

const contentProblems = (input: PreflightInput, account: SocialAccountRow): ReadonlyArray<ProblemItem> => {
  const rules = platformRules[account.platform]
  if (rules === undefined) return []
  const who = `${rules.name} (@${account.username}, account ${account.id})`
  const resolved = resolveContent(input.content, account.platform, account.id)
  const media = resolved.media.flatMap((id) => input.media.find((one) => one.id === id) ?? [])
  if (resolved.caption === "" && resolved.media.length === 0) {
    return [
      {
        path: resolved.captionPath,
        code: "empty_post",
        message: `${who}: the post has neither a caption nor media.`
      }
    ]
  }
  if (!rules.text_only && resolved.media.length === 0) {
    return [
      {
        path: resolved.mediaPath,
        code: "media_required",
        message: `${who} cannot publish text alone; add media.`
      }
    ]
  }
  return [
    ...captionProblems(rules, who, resolved.caption, resolved.captionPath),
    ...mediaFitProblems({
      rules,
      who,
      media,
      processing: input.processing_enabled,
      path: resolved.mediaPath
    })
  ]
}

interface MediaFit {
  readonly rules: PlatformRules
  readonly who: string
  readonly media: ReadonlyArray<MediaRow>
  readonly processing: boolean
  readonly path: string
}

/** What the platform has against the media as far as they are known; of those not fetched yet only their number is. */
export const mediaFitProblems = ({
  rules,
  who,
  media,
  processing,
  path
}: MediaFit): ReadonlyArray<ProblemItem> => [
  ...countProblems(rules, who, media, path),
  ...media.filter(isReady).flatMap((item) => itemProblems(rules, who, item, processing, path))
]

const captionProblems = ({ caption }: PlatformRules, who: string, text: string, path: string) => {
  const length = textLength(text, caption.unit)
  const bytes = byteLength(text)
  if (length > caption.max) {
    return [
      {
        path,
        code: "caption_too_long",
        message: `${who} takes ${caption.max} characters at most; this caption has ${length}.`
      }
    ]
  }
  return caption.max_bytes !== undefined && bytes > caption.max_bytes
    ? [
        {
          path,
          code: "caption_too_long",
          message: `${who} takes ${caption.max_bytes} bytes of text at most; this caption has ${bytes}.`
        }
      ]
    : []
}

const countProblems = (rules: PlatformRules, who: string, media: ReadonlyArray<MediaRow>, path: string) => {
  const problem = (message: string) => ({ path, code: "media_not_accepted", message: `${who} ${message}` })
  const images = media.filter(({ kind }) => kind === "image").length
  const videos = media.filter(({ kind }) => kind === "video").length
  const most = { images: rules.images?.max_count ?? 0, videos: rules.videos?.max_count ?? 0 }
  const unknown = media.some(({ kind }) => kind === null)
  const room = rules.mixed ? most.images + most.videos : Math.max(most.images, most.videos)
  return [
    ...(unknown && media.length > room
      ? [problem(`takes ${room} images or videos at most; there are ${media.length}.`)]
      : []),
    ...(most.images > 0 && images > most.images
      ? [problem(`takes ${most.images} images at most; there are ${images}.`)]
      : []),
    ...(most.videos > 0 && videos > most.videos
      ? [problem(`takes ${most.videos} video at most; there are ${videos}.`)]
      : []),
    ...(!rules.mixed && images > 0 && videos > 0
      ? [problem("takes images or a video, not both in one post.")]
      : [])
  ]
}

/** Images that can be converted to whatever the platform takes. */
const convertible = ["image/jpeg", "image/png", "image/webp", "image/gif"]

const itemProblems = (
  rules: PlatformRules,
  who: string,
  item: ReadyMedia,
  processing: boolean,
  path: string
) => {
  const problem = (message: string) => [
    {
      path,
      code: "media_not_accepted",
      message: `${who} ${message} (media ${item.id}, ${item.name || item.mime_type}).`
    }
  ]
  const limits = item.kind === "image" ? rules.images : item.kind === "video" ? rules.videos : undefined
  if (limits === undefined) return problem(`does not take ${item.kind}s`)
  const fitted = processing && item.kind === "image" && convertible.includes(item.mime_type)
  if (!limits.mime_types.includes(item.mime_type) && !fitted) {
    return problem(`takes ${limits.mime_types.join(", ")}, not ${item.mime_type}`)
  }
  if (item.size_bytes > limits.max_bytes && !fitted) {
    return problem(`takes files of ${limits.max_bytes} bytes at most, and this one has ${item.size_bytes}`)
  }
  return "max_duration_ms" in limits && (item.duration_ms ?? 0) > limits.max_duration_ms
    ? problem(
        `takes videos of ${limits.max_duration_ms / 1000} seconds at most, and this one has ${item.duration_ms! / 1000}`
      )
    : []
}
