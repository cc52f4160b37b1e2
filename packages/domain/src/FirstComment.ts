import type { PlatformRules } from "./Platform.ts"

type Options = { readonly [name: string]: unknown }

const commentIn = ({ first_comment: text }: Options) =>
  typeof text === "string" && text.trim() !== "" ? text : undefined

/** The comment that follows a post with these options; undefined: none does. */
export const firstCommentOf = ({ first_comment: withheld }: PlatformRules, options: Options) =>
  withheld === undefined || withheld(options) !== undefined ? undefined : commentIn(options)

/** Why a post does not get the comment that its options have; it continues after the account's name. */
export const firstCommentWarnings = (
  { first_comment: withheld }: PlatformRules,
  options: Options
): ReadonlyArray<string> => {
  const why =
    withheld === undefined ? "this release does not post one there; write it yourself" : withheld(options)
  return commentIn(options) === undefined || why === undefined
    ? []
    : [`leaves out the first comment: ${why}.`]
}
