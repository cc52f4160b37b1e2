import type { PlatformId, ProblemItem } from "@carillon/sdk"
import { platformName } from "@carillon/domain/PlatformFacts"
import { words } from "./en.ts"
import type { Kind, kindsTaken } from "./kindsTaken.ts"

const said = words.problems

const number = (value: unknown) => (typeof value === "number" ? value.toLocaleString("en") : String(value))

/** Removes the ids of files, which are for programs. */
const forPeople = (sentence: string) =>
  sentence
    .replace(/\(media [0-9a-f-]{36}, ([^)]*)\)/g, "($1)")
    .replace(/the media item [0-9a-f-]{36}/gi, "it")

interface Known {
  /** The name of a file. */
  readonly fileName: (id: string) => string | undefined
  readonly kindsTaken?: typeof kindsTaken | undefined
}

/** A problem in words, with its post of a thread. */
export const sentenceOf = (item: ProblemItem, known: Known): string => {
  const [, following] = /(?:^|\.)thread\[(\d+)\]/.exec(item.path) ?? []
  const sentence = plain(item, known)
  return following === undefined ? sentence : said.ofItem(Number(following) + 2, sentence)
}

/** That networks do not accept text alone, and what they do. */
export const mediaNeeded = (platforms: ReadonlyArray<PlatformId>, taken: ReadonlyArray<Kind> = []) =>
  said.needsMedia(platforms.map(platformName), taken.length === 0 ? ["picture", "video"] : taken)

const plain = (item: ProblemItem, { fileName, kindsTaken }: Known): string => {
  const { code, limit, media_id, platform, rule, value } = item
  const network = platform === undefined ? "" : platformName(platform as PlatformId)
  switch (code) {
    case "no_account":
      return said.noAccount
    case "time_required":
      return said.noTime
    case "scheduled_at_past":
      return said.past
    case "queue_not_configured":
      return said.noQueue
    case "queue_full":
      return said.queueFull
    case "empty_post":
      return said.empty
    case "social_account_disconnected":
      return said.disconnected
    case "media_required":
      return platform === undefined
        ? said.empty
        : mediaNeeded([platform as PlatformId], kindsTaken?.([platform as PlatformId]))
    case "platform_cannot_fetch":
      return said.notPublic(network)
    case "board_required":
      return said.board(network)
    case "option_not_accepted":
      if (rule === "chains") return said.noThreads(network)
      break
    case "media_not_ready":
      return said.notUploaded((media_id === undefined ? undefined : fileName(media_id)) ?? said.file)
    case "caption_too_long":
      if (rule === "max" && typeof limit === "number" && typeof value === "number")
        return said.tooLong(network, number(limit), number(value - limit))
      break
    case "caption_not_accepted":
      if (rule === "max_hashtags") return said.tooManyTags(network, number(limit), number(value))
      break
  }
  const { message, sentence } = item
  return sentence === undefined ? forPeople(message) : forPeople(`${network} ${sentence}`.trim())
}
