import {
  type BadRequest,
  type Conflict,
  type ContentTooLarge,
  type Forbidden,
  type Media,
  mediaIdsOf,
  mediaOptions,
  placementOf,
  rulesFor,
  resolveContent,
  textLength,
  textUnits
} from "@carillon/domain"
import { DateTime, Effect, Option, Result } from "effect"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { MemberWorkspace } from "../auth/MemberRepository.ts"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import { isHeldWarning } from "../posts/ApprovalHold.ts"
import type { WaitingPost } from "../posts/PostApprovals.ts"
import { contentOf } from "../posts/PostContent.ts"
import { Posts } from "../posts/Posts.ts"

/** Content that some of the accounts share. */
export interface Version {
  /** The path of its caption in the post. */
  readonly captionPath: string
  readonly caption: string
  /** Each as "Bluesky: @name", with the caption's length there. */
  readonly accounts: ReadonlyArray<{ readonly name: string; readonly length: string }>
  readonly media: ReadonlyArray<ShownMedia>
  /** The posts that follow it as a thread. */
  readonly following: ReadonlyArray<Pick<Version, "caption" | "media">>
  readonly options: ReadonlyArray<readonly [name: string, value: string]>
}

export interface ShownMedia {
  /** "media", or the option that names it. */
  readonly use: string
  /** null: it was deleted. */
  readonly item: Media | null
}

/** A post that waits for a person's approval, with all that they have to see. */
export interface PendingApproval extends WaitingPost {
  readonly workspace: MemberWorkspace
  readonly versions: ReadonlyArray<Version>
  readonly warnings: ReadonlyArray<string>
  /** The problems that it has at present. */
  readonly problems: ReadonlyArray<string>
  /** The time that the app wanted has passed. */
  readonly isPast: boolean
  /** Media that the person cannot look at yet. */
  readonly arriving: boolean
}

export const pendingApproval = Effect.fnUntraced(function* (
  waiting: WaitingPost,
  workspace: MemberWorkspace
) {
  const posts = yield* Posts
  const accounts = yield* SocialAccounts
  const library = yield* MediaLibrary
  const { post, approval } = waiting
  const content = contentOf(post)
  const found = yield* accounts.find(workspace.id, post.social_accounts)
  const checked = yield* Effect.result(
    posts.validate({
      ...content,
      social_accounts: post.social_accounts,
      is_draft: true
    })
  )
  const shown = (uses: ReadonlyArray<readonly [use: string, id: string]>) =>
    Effect.forEach(uses, ([use, id]) =>
      Effect.map(Effect.option(library.get(id)), (item): ShownMedia => ({
        use,
        item: Option.getOrNull(item)
      }))
    )
  const versions = new Map<string, Version>()
  for (const one of found) {
    const { id, platform, username } = one
    const resolved = resolveContent(content, platform, id)
    const rules = rulesFor(one)
    const { caption: limit } = placementOf(
      rules,
      resolved.options,
      yield* library.find(workspace.id, resolved.media)
    )
    const account = {
      name: `${rules.name}: @${username}`,
      length: `${textLength(rules.counted?.(resolved) ?? resolved.caption, limit)} of ${limit.max} ${textUnits[limit.unit]}`
    }
    const { captionPath, options, thread } = resolved
    const key = JSON.stringify([captionPath, resolved.caption, resolved.media, thread, options])
    const same = versions.get(key)
    versions.set(
      key,
      same !== undefined
        ? { ...same, accounts: [...same.accounts, account] }
        : {
            captionPath,
            caption: resolved.caption,
            accounts: [account],
            media: yield* shown(usesOf(resolved)),
            following: yield* Effect.forEach(thread, ({ caption, media }) =>
              Effect.map(shown(media.map((id) => ["media", id])), (files) => ({
                caption: caption ?? "",
                media: files
              }))
            ),
            options: Object.entries(options)
              .filter(([name]) => !isMediaOption(name))
              .map(([name, value]): [string, string] => [
                name,
                typeof value === "string" ? value : JSON.stringify(value)
              ])
          }
    )
  }
  const now = yield* DateTime.now
  const used = yield* library.find(workspace.id, mediaIdsOf(content))
  return {
    ...waiting,
    workspace,
    versions: [...versions.values()],
    warnings: [
      ...new Set([
        ...post.warnings,
        ...Result.match(checked, { onSuccess: ({ warnings }) => warnings, onFailure: () => [] })
      ])
    ].filter((warning) => !isHeldWarning(warning)),
    problems: Result.match(checked, { onSuccess: () => [], onFailure: messagesOf }),
    arriving: used.some(({ importing }) => importing),
    isPast:
      approval.wants === "scheduled" &&
      (post.scheduled_at === null || DateTime.isLessThanOrEqualTo(post.scheduled_at, now))
  } satisfies PendingApproval
})

export const messagesOf = ({ errors }: BadRequest | Conflict | ContentTooLarge | Forbidden) =>
  errors.map(({ message }) => message)

const isMediaOption = (name: string) => mediaOptions.some((one) => one === name)

const usesOf = ({ media, options }: ReturnType<typeof resolveContent>): ReadonlyArray<[string, string]> => [
  ...media.map((id): [string, string] => ["media", id]),
  ...mediaOptions.flatMap((name): ReadonlyArray<[string, string]> =>
    typeof options[name] === "string" ? [[name, options[name]]] : []
  )
]
